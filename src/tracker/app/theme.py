"""The two themes of our own, and the colour roles that every theme is translated into."""

from __future__ import annotations

from textual.color import Color
from textual.theme import Theme

HEARTH = Theme(
    name="hearth",
    dark=True,
    background="#15181b",
    foreground="#d8d4ca",
    primary="#d0a560",
    secondary="#86a9c4",
    accent="#d0a560",
    success="#93b97a",
    warning="#dcb667",
    error="#d5706b",
    surface="#15181b",
    panel="#1f2428",
    variables={"fear": "#b08cc8"},
)
"""Dark: bronze on slate."""

VELLUM = Theme(
    name="vellum",
    dark=False,
    background="#f0eeeb",
    foreground="#2b2925",
    primary="#8a5a12",
    secondary="#2f6186",
    accent="#8a5a12",
    success="#1f6a22",
    warning="#8a6200",
    error="#a82c22",
    surface="#f0eeeb",
    panel="#e6e3df",
    variables={"fear": "#6d2b91"},
)
"""Light: sepia on paper. The paper is almost gray: with 256 colors a warmer one turns lemon yellow."""


def roles(variables: dict[str, str], ansi: bool) -> dict[str, str]:  # noqa: FBT001
    """Return the colors, as texts for Textual's styles, by role, such as `muted` or `good`.

    They are computed from `variables`, those of the theme. `ansi` is True for a theme of the terminal's own sixteen
    colors, which cannot be mixed.
    """
    meanings = {
        "key": variables["accent"],
        "good": variables["success"],
        "mid": variables["warning"],
        "bad": variables["error"],
        "cur-bg": variables["primary"],
    }
    if ansi:
        # The terminal's own sixteen colours cannot be mixed, and only blue needs light text on it.
        return meanings | {
            "muted": "ansi_default",
            "faint": "ansi_bright_black",
            "rule": "ansi_bright_black",
            "chip": "ansi_bright_black",
            "chip-bg": "ansi_default",
            "bar": "ansi_default",
            "hope": "ansi_yellow",
            "fear": "ansi_magenta",
            "cur-fg": "ansi_bright_white" if variables["primary"] == "ansi_blue" else "ansi_black",
        }
    background = Color.parse(variables["background"])
    foreground = Color.parse(variables["foreground"])

    def shade(share: float) -> str:
        return background.blend(foreground, share).hex

    return meanings | {
        "muted": shade(0.72),
        "faint": shade(0.52),
        "rule": shade(0.20),
        "chip": shade(0.12),
        "chip-bg": shade(0.12),
        "bar": shade(0.06),
        "hope": variables["warning"],
        "fear": variables.get("fear", variables["secondary"]),
        "cur-fg": background.hex,
    }
