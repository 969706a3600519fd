"""Dice, tracks, meters and clocks as inline SVG for web pages, each with a text for screen readers."""

from __future__ import annotations

import math
from html import escape

from tracker.games.api.view import Die, Momentum

_PIPS = {
    1: ((12, 12),),
    2: ((7.5, 7.5), (16.5, 16.5)),
    3: ((7, 7), (12, 12), (17, 17)),
    4: ((7.5, 7.5), (16.5, 7.5), (7.5, 16.5), (16.5, 16.5)),
    5: ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)),
    6: ((7.5, 6.5), (16.5, 6.5), (7.5, 12), (16.5, 12), (7.5, 17.5), (16.5, 17.5)),
}
"""Centers of the pips of a six-sided die by face."""
_SHAPES = {
    4: "12,2 22.5,20 1.5,20",
    8: "12,1 22.5,12 12,23 1.5,12",
    10: "12,1 22.5,9.5 22.5,14 12,23 1.5,14 1.5,9.5",
    12: "12,1 19,3.5 23,9.5 23,15 18.5,21 12,23 5.5,21 1,15 1,9.5 5,3.5",
    20: "12,1 21.5,6.5 21.5,17.5 12,23 2.5,17.5 2.5,6.5",
}
"""Outlines of dice by their number of sides; others are drawn as a circle."""
BOX = 15
"""Width of a box of a track, in pixels."""


def die(one: Die) -> str:
    """Return a die with its face as SVG: pips for a six-sided die with a face from 1 to 6, else a number."""
    told = f"d{one.sides}: {one.face}{f', {one.word}' if one.word else ''}"
    if one.sides == 6 and one.face in _PIPS:
        body = '<rect class="body" x="1.5" y="1.5" width="21" height="21" rx="4.5"/>'
        pips = "".join(f'<circle class="pip" cx="{x}" cy="{y}" r="2"/>' for x, y in _PIPS[one.face])
        inside = body + pips
    else:
        shape = _SHAPES.get(one.sides)
        body = (
            f'<polygon class="body" points="{shape}"/>' if shape else '<circle class="body" cx="12" cy="12" r="10.8"/>'
        )
        low = 17.4 if one.sides == 4 else 15.2
        inside = f'{body}<text x="12" y="{low}">{one.face}</text>'
    counts = " counts" if one.counts else ""
    return f'<svg class="die{counts}" viewBox="0 0 24 24" role="img" aria-label="{escape(told)}">{inside}</svg>'


def boxes(ticks: int) -> str:
    """Return a progress track as SVG: ten boxes with up to four strokes each. `ticks` is 0 to 40."""
    drawn = []
    for n in range(10):
        x = n * (BOX + 3) + 1
        drawn.append(f'<rect class="box" x="{x}" y="1" width="{BOX}" height="{BOX}" rx="2"/>')
        drawn += _strokes(x, min(4, max(0, ticks - 4 * n)))
    return _svg(10 * (BOX + 3), BOX + 2, f"{ticks // 4} of 10 boxes", "".join(drawn))


def _strokes(x: int, ticks: int) -> list[str]:
    low, high, middle = 3.5, BOX - 1.5, BOX / 2 + 1
    lines = (
        (x + low - 1, high, x + high - 1, low),
        (x + low - 1, low, x + high - 1, high),
        (x + BOX / 2, low - 0.5, x + BOX / 2, high + 0.5),
        (x + low - 1.5, middle, x + high - 0.5, middle),
    )
    return [f'<line class="tick" x1="{a}" y1="{b}" x2="{c}" y2="{d}"/>' for a, b, c, d in lines[:ticks]]


def pips(value: int, high: int, *, marks: bool = False) -> str:
    """Return a meter as SVG: a row of `high` pips, `value` of them full. `marks` draws squares instead of circles.

    Return "" if there would be no pips, or more than 24.
    """
    if not 0 < high <= 24:
        return ""
    drawn = []
    for n in range(high):
        full = "on" if n < value else "off"
        if marks:
            drawn.append(f'<rect class="{full}" x="{n * 13 + 1.5}" y="1.5" width="9" height="9" rx="1"/>')
        else:
            drawn.append(f'<circle class="{full}" cx="{n * 13 + 6}" cy="6" r="4.5"/>')
    return _svg(high * 13, 12, f"{value} of {high}", "".join(drawn))


def clock(value: int, segments: int) -> str:
    """Return a clock as SVG: a circle with segments, `value` of them full.

    Return "" if there are no segments, or more than 24.
    """
    if not 0 < segments <= 24:
        return ""
    drawn = []
    for n in range(segments):
        full = "on" if n < value else "off"
        if segments == 1:
            drawn.append(f'<circle class="{full}" cx="20" cy="20" r="17"/>')
            continue
        ends = [2 * math.pi * k / segments - math.pi / 2 for k in (n, n + 1)]
        (ax, ay), (bx, by) = ((20 + 17 * math.cos(angle), 20 + 17 * math.sin(angle)) for angle in ends)
        path = f"M20 20L{ax:.1f} {ay:.1f}A17 17 0 0 1 {bx:.1f} {by:.1f}Z"
        drawn.append(f'<path class="{full}" d="{path}"/>')
    gaps = '<circle class="box" cx="20" cy="20" r="17"/>'
    return _svg(40, 40, f"{value} of {segments} segments", "".join(drawn) + gaps)


def momentum(this: Momentum) -> str:
    """Return momentum as SVG: a ruler from its lowest to its highest number, with its present maximum and reset.

    Return "" if the ruler would have no steps, or more than 40.
    """
    step = 14
    steps = this.high - this.low
    if not 0 < steps <= 40:
        return ""
    x = {n: (n - this.low) * step + 8 for n in (this.low, 0, this.value, this.most, this.reset, this.high)}
    drawn = [
        f'<line class="off" x1="{x[this.low]}" y1="8" x2="{x[this.high]}" y2="8"/>',
        f'<line class="box" x1="{x[this.low]}" y1="8" x2="{x[this.most]}" y2="8"/>',
        f'<line class="box" x1="{x[0]}" y1="3" x2="{x[0]}" y2="13"/>',
        f'<line class="tick" x1="{x[0]}" y1="8" x2="{x[this.value]}" y2="8"/>',
        f'<path class="box" d="M{x[this.reset] - 3} 15l3 -4l3 4z"/>',
        f'<circle class="on" cx="{x[this.value]}" cy="8" r="4.5"/>',
    ]
    return _svg(steps * step + 16, 17, f"{this.value}, from {this.low} to {this.most}", "".join(drawn))


def _svg(width: int, height: int, told: str, inside: str) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {size} role="img" aria-label="{escape(told)}">{inside}</svg>'
