"""What notebooks show: the colours of the page, readable in dark and light, and nothing that is taken for markup."""

from __future__ import annotations

import re

import pytest

import noregret as nr
from conftest import ROOT, river

PAGE = ROOT / "web/src/shell/tokens.css"


def tokens(css: str) -> dict[str, str]:
    return dict(re.findall(r"--(?:nr-)?([a-z0-9-]+):\s*(#[0-9a-fA-F]+)\b", css))


def full(colour: str) -> str:
    """A colour with six digits."""
    return "#" + "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour


def blocks() -> dict[str, list[dict[str, str]]]:
    """The tokens of each theme, in each place of the style where they are set."""
    style = re.search(r"<style>(.*?)</style>", river()._repr_html_(), re.DOTALL)
    assert style is not None
    base, dark, light_again, dark_again = re.findall(r"\.nr\{(--nr[^}]*)", style[1])
    return {"light": [tokens(base), tokens(light_again)], "dark": [tokens(dark), tokens(dark_again)]}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_those_of_the_page(theme: str) -> None:
    css = PAGE.read_text()
    common = tokens(css[: css.index("[data-theme")])
    own = css[css.index(f'[data-theme="{theme}"]') :]
    page = common | tokens(own[: own.index("}")])
    first, second = blocks()[theme]
    assert second.items() <= first.items(), "both places say the same"
    shared = first.keys() & page.keys()
    assert {"panel", "line", "ink", "ink-2", "empty"} <= shared
    assert {name: full(first[name]) for name in shared} == {name: full(page[name]) for name in shared}
    if theme == "light":
        assert {"fold", "passive", "bet-1", "bet-2", "bet-3", "bet-4", "all-in"} <= shared


def luminance(colour: str) -> float:
    parts = [int(full(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read(theme: str) -> None:
    found = blocks()
    colours = found["light"][0] | found[theme][0]
    style = river()._repr_html_()
    # White with a shadow of nearly black on paint, as on the page; ink above it.
    assert re.search(r"\.nr-matrix>div\{[^}]*color:#fff;text-shadow:0 1px 2px #000000e6", style)
    assert re.search(r"\.nr-matrix \.nr-low b\{color:var\(--nr-ink\);text-shadow:none", style)
    for name in ["fold", "passive", "bet-1", "bet-2", "bet-3", "bet-4", "all-in"]:
        assert contrast("#ffffff", colours[name]) >= 4.5, name
    for ink, ground in [("ink", "panel"), ("ink-2", "panel"), ("ink", "empty"), ("heart", "panel"), ("diamond", "panel"), ("club", "panel")]:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


def test_names_above_the_paint_are_in_ink() -> None:
    shown = nr.Range("AA,KK:0.5")._repr_html_()
    cells = dict(re.findall(r"<div([^>]*)><b>(\w+)</b>", shown))
    by_name = {name: attributes for attributes, name in cells.items()}
    assert "nr-low" in by_name["KK"] and "class" not in by_name["AA"] and 'class="nr-empty"' in shown


def test_no_text_is_taken_for_markup(solution: nr.Solution) -> None:
    report = nr.report(solution, "check, check, *")
    assert "<script>alert" not in report.html(title="<script>alert(1)</script>")
    shows = [solution, solution.root, solution["check, check"], solution.spot, report, solution.spot.oop]
    for shown in [thing._repr_html_() for thing in shows]:  # type: ignore[attr-defined]
        for tag in ["div", "table", "tr", "td", "span", "b", "i", "style"]:
            assert len(re.findall(rf"<{tag}[ >]", shown)) == shown.count(f"</{tag}>"), tag
        assert "<script" not in shown and "NaN" not in shown
