//! How the time of an iteration grows, as a picture: twice as much to do on the one axis, twice the time on the other.

use std::fmt::Write;

/// Light and dark pages.
const STYLE: &str = "<style>.paper{fill:#fff}text{fill:#1f2328}.faint{fill:#59636e}.grid{stroke:#d1d9e0}\
.even{stroke:#59636e;stroke-dasharray:4 4}.curve{fill:none;stroke-width:2.5}.c0{stroke:#0060a8}.c1{stroke:#c44e00}.c2{stroke:#00805e}\
.dot{fill:#fff;stroke-width:2.5}@media(prefers-color-scheme:dark){.paper,.dot{fill:#0d1117}text{fill:#e6edf3}.faint{fill:#9198a1}\
.grid{stroke:#3d444d}.even{stroke:#9198a1}.c0{stroke:#5ab0f5}.c1{stroke:#ff9a52}.c2{stroke:#3ecfa4}}</style>\n";

/// Where one stands for one, and how far a factor of two is.
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 400.0;
const DOUBLING: f64 = 85.0;
/// As far as the axes go, in doublings.
const DOUBLINGS: i32 = 4;

/// Times of spots of which each has more to do than the one before.
pub struct Series {
    name: &'static str,
    /// How many times as much as the first one, and how many times as long.
    points: Vec<(f64, f64)>,
}

impl Series {
    /// From amounts and seconds.
    pub fn new(name: &'static str, timings: Vec<(f64, f64)>) -> Self {
        let (amount, seconds) = timings[0];
        Self { name, points: timings.iter().map(|point| (point.0 / amount, point.1 / seconds)).collect() }
    }
}

/// The picture.
pub fn draw(all: &[Series]) -> String {
    let length = f64::from(DOUBLINGS) * DOUBLING;
    let (right, top) = (LEFT + length, BOTTOM - length);
    let (width, height) = (right + 210.0, BOTTOM + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title>What the time of an iteration grows with</title>\n{STYLE}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
         <text x=\"{LEFT}\" y=\"28\" font-size=\"15\" font-weight=\"600\">What the time of an iteration grows with</text>\n"
    );
    // Writing to a string does not fail.
    for doublings in 0..=DOUBLINGS {
        let (times, far) = (1 << doublings, f64::from(doublings) * DOUBLING);
        let (x, y) = (LEFT + far, BOTTOM - far);
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{x} {top}V{BOTTOM}M{LEFT} {y}H{right}\"/>\n\
             <text class=\"faint\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{times}×</text>\
             <text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{times}×</text>\n",
            BOTTOM + 20.0,
            LEFT - 8.0,
            y + 4.5
        );
    }
    let _ = write!(
        svg,
        "<path class=\"even\" d=\"M{LEFT} {BOTTOM}L{right} {top}\"/>\n\
         <text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">as much to do</text>\n\
         <text class=\"faint\" transform=\"translate(24 {}) rotate(-90)\" text-anchor=\"middle\">as long</text>\n",
        LEFT + length / 2.0,
        BOTTOM + 44.0,
        BOTTOM - length / 2.0
    );
    for (i, series) in all.iter().enumerate() {
        draw_series(&mut svg, series, i, right + 24.0, top + 10.0 + 24.0 * i as f64);
    }
    let (x, y) = (right + 24.0, top + 10.0 + 24.0 * all.len() as f64);
    let _ = write!(
        svg,
        "<path class=\"even\" d=\"M{x} {y}h30\"/><text x=\"{}\" y=\"{}\">in proportion</text>\n</svg>\n",
        x + 38.0,
        y + 4.5
    );
    svg
}

fn draw_series(svg: &mut String, series: &Series, colour: usize, legend_x: f64, legend_y: f64) {
    let place = |&(amount, seconds): &(f64, f64)| {
        (LEFT + DOUBLING * amount.log2(), BOTTOM - DOUBLING * seconds.log2())
    };
    let line: Vec<String> = series.points.iter().map(place).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let _ = writeln!(svg, "<path class=\"curve c{colour}\" d=\"M{}\"/>", line.join("L"));
    for (x, y) in series.points.iter().map(place) {
        let _ = writeln!(svg, "<circle class=\"dot c{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
    }
    let _ = writeln!(
        svg,
        "<path class=\"curve c{colour}\" d=\"M{legend_x} {legend_y}h30\"/><text x=\"{}\" y=\"{}\">{}</text>",
        legend_x + 38.0,
        legend_y + 4.5,
        series.name
    );
}
