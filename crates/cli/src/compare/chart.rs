//! Exploitability over time as an SVG: one curve for each run, drawn by hand because it takes less than a crate for it.

use super::report::{ComparedRun, Comparison};
use std::fmt::Write;

/// The plot within the picture.
const LEFT: f64 = 66.0;
const TOP: f64 = 48.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
/// What the legend takes at least, before its names, and for each of their letters, which are no wider in any common font.
const LEGEND_WIDTH: f64 = 190.0;
const LEGEND_NAMES: f64 = 58.0;
const LETTER: f64 = 8.5;
/// What the time axis takes.
const BOTTOM: f64 = 58.0;
const LEGEND_STEP: f64 = 20.0;

/// Curves of one algorithm have one colour, those of one precision one kind of line.
const DASHES: [&str; 6] = ["none", "7 3", "2 3", "9 3 2 3", "4 4", "1 5"];
const COLOURS: [(&str, &str); 8] = [
    ("#0060a8", "#5ab0f5"),
    ("#c44e00", "#ff9a52"),
    ("#00805e", "#3ecfa4"),
    ("#a8327a", "#f08cc4"),
    ("#7a6200", "#e0c341"),
    ("#5b3fb5", "#b39dff"),
    ("#b3261e", "#ff8a80"),
    ("#4f5b66", "#b8c4cf"),
];

/// The picture.
pub fn draw(comparison: &Comparison) -> String {
    let axes = Axes::around(comparison);
    let legend = TOP + LEGEND_STEP * comparison.runs.len() as f64;
    let letters = comparison.runs.iter().map(|run| run.name().len()).max().unwrap_or_default();
    let legend_width = LEGEND_WIDTH.max(LEGEND_NAMES + LETTER * letters as f64);
    let (width, height) = (LEFT + WIDTH + legend_width, (TOP + HEIGHT).max(legend) + BOTTOM);
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title>Exploitability over time, {0}</title>\n{1}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"15\" font-weight=\"600\">Exploitability over time, {0}</text>\n",
        escaped(&comparison.board),
        style()
    );
    axes.draw(&mut svg, comparison.target_pct);
    let looks = looks(&comparison.runs);
    for (i, (run, look)) in comparison.runs.iter().zip(&looks).enumerate() {
        axes.draw_run(&mut svg, run, look);
        let (x, y) = (LEFT + WIDTH + 20.0, TOP + LEGEND_STEP * i as f64 + 8.0);
        let _ = writeln!(
            svg,
            "<path class=\"curve {look}\" d=\"M{x} {y}h30\"/><text x=\"{}\" y=\"{}\">{}</text>",
            LEFT + WIDTH + LEGEND_NAMES,
            y + 4.5,
            escaped(&run.name())
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The classes of each run's curve: its colour and its dashes.
fn looks(runs: &[ComparedRun]) -> Vec<String> {
    let place = |names: &mut Vec<String>, name: String| {
        names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let (mut algorithms, mut precisions) = (Vec::new(), Vec::new());
    runs.iter()
        .map(|run| {
            let colour = place(&mut algorithms, run.name.clone()) % COLOURS.len();
            let dash = place(&mut precisions, run.precision.to_string()) % DASHES.len();
            format!("c{colour} d{dash}")
        })
        .collect()
}

/// Colours for light and dark pages.
fn style() -> String {
    let colours = |pick: fn(&(&'static str, &'static str)) -> &'static str| -> String {
        COLOURS.iter().enumerate().map(|(i, pair)| format!(".c{i}{{stroke:{}}}", pick(pair))).collect()
    };
    let dashes: String =
        DASHES.iter().enumerate().map(|(i, dash)| format!(".d{i}{{stroke-dasharray:{dash}}}")).collect();
    format!(
        "<style>.paper{{fill:#fff}}text{{fill:#1f2328}}.faint{{fill:#59636e}}.grid{{stroke:#d1d9e0;stroke-width:1}}\
         .fine{{stroke:#eef1f4}}.target{{stroke:#59636e;stroke-dasharray:3 3}}.curve{{fill:none;stroke-width:2;stroke-linejoin:round}}\
         {dashes}{}@media(prefers-color-scheme:dark){{.paper{{fill:#0d1117}}text{{fill:#e6edf3}}.faint{{fill:#9198a1}}\
         .grid{{stroke:#3d444d}}.fine{{stroke:#1d242c}}.target{{stroke:#9198a1}}{}}}</style>\n",
        colours(|pair| pair.0),
        colours(|pair| pair.1)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Seconds and percent, both on logarithmic axes: what falls as a power of time is a straight line.
struct Axes {
    seconds: Axis,
    percent: Axis,
}

impl Axes {
    fn around(comparison: &Comparison) -> Self {
        let points = || comparison.runs.iter().flat_map(|run| &run.history);
        let percents = points().map(|point| point.exploitability_pct).chain([comparison.target_pct]);
        Self { seconds: Axis::around(points().map(|point| point.seconds)), percent: Axis::around(percents) }
    }

    fn x(&self, seconds: f64) -> f64 {
        LEFT + WIDTH * self.seconds.share(seconds)
    }

    fn y(&self, percent: f64) -> f64 {
        TOP + HEIGHT * (1.0 - self.percent.share(percent))
    }

    fn draw(&self, svg: &mut String, target_pct: f64) {
        let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
        let mut line = |class: &str, d: String| {
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"{d}\" fill=\"none\"/>");
        };
        let across = |percent: &f64| format!("M{LEFT} {:.1}H{right}", self.y(*percent));
        let upright = |seconds: &f64| format!("M{:.1} {TOP}V{bottom}", self.x(*seconds));
        for (class, digits) in [("grid fine", FINE), ("grid", LABELLED)] {
            line(class, self.percent.marks(digits).iter().map(across).collect());
            line(class, self.seconds.marks(digits).iter().map(upright).collect());
        }
        line("grid", format!("M{LEFT} {TOP}H{right}V{bottom}H{LEFT}Z"));
        if target_pct > 0.0 {
            line("target", across(&target_pct));
        }
        let mut text = |x: f64, y: f64, anchor: &str, text: String| {
            let _ = writeln!(
                svg,
                "<text class=\"faint\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
            );
        };
        for percent in self.percent.labels() {
            text(LEFT - 8.0, self.y(percent) + 4.5, "end", format!("{}%", number(percent)));
        }
        for seconds in self.seconds.labels() {
            text(self.x(seconds), bottom + 20.0, "middle", number(seconds));
        }
        text(LEFT + WIDTH / 2.0, bottom + 42.0, "middle", "seconds".to_owned());
        if target_pct > 0.0 {
            text(LEFT + 6.0, self.y(target_pct) - 5.0, "start", format!("target {target_pct}%"));
        }
    }

    /// The curve of a run; points that would lie on one another are left out.
    fn draw_run(&self, svg: &mut String, run: &ComparedRun, look: &str) {
        let mut d = String::new();
        let mut drawn: Option<(f64, f64)> = None;
        for (i, point) in run.history.iter().enumerate() {
            let at = (self.x(point.seconds), self.y(point.exploitability_pct.max(f64::MIN_POSITIVE)));
            let near = drawn.is_some_and(|(x, y)| (at.0 - x).abs() < 1.0 && (at.1 - y).abs() < 1.0);
            if near && i + 1 < run.history.len() {
                continue;
            }
            let _ = write!(d, "{}{:.1} {:.1}", if drawn.is_none() { 'M' } else { 'L' }, at.0, at.1);
            drawn = Some(at);
        }
        let _ = writeln!(
            svg,
            "<path class=\"curve {look}\" d=\"{d}\"><title>{}</title></path>",
            escaped(&run.name())
        );
    }
}

/// The digits of marks with a label, and of those without.
const LABELLED: &[u32] = &[1, 2, 5];
const FINE: &[u32] = &[3, 4, 6, 7, 8, 9];

/// How many labels an axis takes.
const MOST_LABELS: usize = 14;

/// A logarithmic axis from one round number to another.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// The least scale that has all positive numbers of some.
    fn around(numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = numbers
            .filter(|number| *number > 0.0)
            .fold((f64::INFINITY, 0.0), |(low, high), number| (number.min(low), number.max(high)));
        if low > high {
            return Self { low: 0.1, high: 1.0 };
        }
        let rounded =
            |number: f64| round_numbers(number.log10().floor() as i32 - 1, number.log10().ceil() as i32 + 1);
        let below = rounded(low).into_iter().rev().find(|round| *round <= low).unwrap_or(low);
        let above = rounded(high).into_iter().find(|round| *round >= high && *round > below).unwrap_or(high);
        Self { low: below, high: above }
    }

    /// How far along the axis a number lies, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        (number.max(self.low) / self.low).ln().min((self.high / self.low).ln()) / (self.high / self.low).ln()
    }

    /// Multiples of the powers of ten by some digits.
    fn marks(&self, digits: &[u32]) -> Vec<f64> {
        let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        let marks = decades.flat_map(|decade| digits.iter().map(move |&digit| mark(digit, decade)));
        marks.filter(|mark| (self.low..=self.high).contains(mark)).collect()
    }

    /// The marks with a label: 1, 2 and 5 times the powers of ten, or fewer where those are too many.
    fn labels(&self) -> Vec<f64> {
        let all = self.marks(LABELLED);
        let labels = if all.len() > MOST_LABELS { self.marks(&[1]) } else { all };
        let step = labels.len().div_ceil(MOST_LABELS).max(1);
        labels.into_iter().step_by(step).collect()
    }
}

/// All of 1, 2 and 5 times the powers of ten of some decades.
fn round_numbers(first: i32, last: i32) -> Vec<f64> {
    (first..=last).flat_map(|decade| LABELLED.iter().map(move |&digit| mark(digit, decade))).collect()
}

/// A digit times a power of ten, as it is written.
fn mark(digit: u32, decade: i32) -> f64 {
    format!("{digit}e{decade}").parse().unwrap_or(f64::NAN)
}

/// A round number without zeros that say nothing: `0.05`, `200`; with an exponent where it would be long.
fn number(number: f64) -> String {
    if (1e-4..1e6).contains(&number) { number.to_string() } else { format!("{number:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision::PrecisionBits;
    use noregret_holdem::{
        Algorithm, Averaging, Measurement, Outcome, Precision, SolverOptions, Spec, StopReason,
    };
    use std::time::Duration;

    fn comparison(curves: &[&[(f64, f64)]]) -> Comparison {
        let spec: Spec = include_str!("../../../../examples/turn.toml").parse().unwrap();
        let mut comparison = Comparison::new(&spec, 2);
        let algorithms: Vec<Algorithm> = Algorithm::all().collect();
        for (i, curve) in curves.iter().enumerate() {
            let history = curve
                .iter()
                .map(|&(seconds, exploitability_pct)| Measurement {
                    iteration: 1,
                    elapsed: Duration::from_secs_f64(seconds),
                    exploitability_pct,
                })
                .collect();
            let outcome = Outcome { history, reason: StopReason::Iterations };
            let precision = Precision::ALL[i / algorithms.len() % 4];
            let bits = PrecisionBits::new(&SolverOptions::default().stored_in(precision, precision), None);
            comparison.runs.push(ComparedRun::new(
                (algorithms[i % algorithms.len()], Averaging::AsGiven),
                bits,
                1,
                &outcome,
                false,
            ));
        }
        comparison
    }

    /// The numbers of every path and text lie within the picture.
    fn check(comparison: &Comparison) -> String {
        let svg = draw(comparison);
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
        let root = document.root_element();
        let size = |name: &str| root.attribute(name).unwrap().parse::<f64>().unwrap();
        let (width, height) = (size("width"), size("height"));
        for path in root.descendants().filter(|node| node.has_tag_name("path")) {
            let d = path.attribute("d").unwrap();
            assert!(!d.contains("NaN") && !d.contains("inf"), "{d}");
            let numbers = d.split(|c: char| c.is_ascii_alphabetic() || c == ' ').filter(|n| !n.is_empty());
            for number in numbers.map(|number| number.parse::<f64>().unwrap()) {
                assert!((0.0..=width.max(height)).contains(&number), "{number} in {d}");
            }
        }
        for text in root.descendants().filter(|node| node.has_tag_name("text")) {
            let at = |name: &str| text.attribute(name).unwrap().parse::<f64>().unwrap();
            assert!((0.0..=width).contains(&at("x")) && (0.0..=height).contains(&at("y")), "{text:?}");
        }
        svg
    }

    #[test]
    fn there_is_room_for_long_names() {
        let mut comparison = comparison(&[&[(1.0, 1.0)]]);
        let by_street = [[Precision::Bits32, Precision::Bits16, Precision::Bits8]; 2];
        comparison.runs[0].name = Algorithm::SapcfrPlus.to_string();
        comparison.runs[0].precision =
            PrecisionBits::new(&SolverOptions::default().stored_by_street(by_street), None);
        let svg = check(&comparison);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let is_name = |text: &str| text == "sapcfr+ 32:16:8/32:16:8";
        let mut texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let name = texts.find(|node| node.text().is_some_and(is_name)).unwrap();
        let [width, x] = [(document.root_element(), "width"), (name, "x")]
            .map(|(node, key)| node.attribute(key).unwrap().parse::<f64>().unwrap());
        // The widest letter of the name has less than two thirds of the font's 13 units in common fonts.
        assert!(x + 8.4 * 23.0 < width, "{x} of {width}");
    }

    #[test]
    fn a_chart_is_whole_and_has_a_curve_and_a_name_for_each_run() {
        let curves: Vec<Vec<(f64, f64)>> = (1..=20)
            .map(|i| {
                (1..100).map(|t| (f64::from(t * i) / 50.0, 100.0 / f64::from(t * t) / f64::from(i))).collect()
            })
            .collect();
        let curves: Vec<&[(f64, f64)]> = curves.iter().map(Vec::as_slice).collect();
        let comparison = comparison(&curves);
        let svg = check(&comparison);
        for run in &comparison.runs {
            assert_eq!(svg.matches(&format!(">{}<", escaped(&run.name()))).count(), 2, "{}", run.name());
        }
        assert!(
            svg.contains(">target 0.1%<")
                && svg.contains(">seconds<")
                && svg.contains("prefers-color-scheme:dark")
        );
    }

    #[test]
    fn odd_curves_are_drawn_all_the_same() {
        check(&comparison(&[]));
        check(&comparison(&[&[(0.0, 0.0)]]));
        check(&comparison(&[&[(0.0, 1e-30), (1e6, 1e5)], &[(1e-9, 5.0)]]));
        check(&comparison(&[&[(1.0, 1.0), (2.0, 1.0)]]));
        let mut endless = comparison(&[&[(1.0, 1.0)]]);
        endless.target_pct = 0.0;
        assert!(!check(&endless).contains("target 0%"));
    }

    #[test]
    fn a_long_run_does_not_make_a_large_file() {
        let curve: Vec<(f64, f64)> = (1..200_000).map(|t| (f64::from(t), 100.0 / f64::from(t))).collect();
        assert!(check(&comparison(&[&curve])).len() < 30_000);
    }

    #[test]
    fn axes_go_from_a_round_number_to_another() {
        let scale = |numbers: &[f64]| {
            let Axis { low, high } = Axis::around(numbers.iter().copied());
            (low, high)
        };
        assert_eq!(scale(&[0.0918, 21.5]), (0.05, 50.0));
        assert_eq!(scale(&[1.0, 0.0]), (1.0, 2.0));
        assert_eq!(scale(&[0.3]), (0.2, 0.5));
        assert_eq!(scale(&[]), (0.1, 1.0));
        let Axis { low, high } = Axis::around([0.07, 6.0].into_iter());
        assert_eq!(Axis { low, high }.labels(), [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!([0.05, 200.0, 1e-9, 1e9].map(number), ["0.05", "200", "1e-9", "1e9"]);
    }
}
