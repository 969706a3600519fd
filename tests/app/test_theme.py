"""Our themes keep their look in a terminal with 256 colors, and the styles that they make are set as Textual does."""

from __future__ import annotations

from colorsys import rgb_to_hls
from pathlib import Path

import pytest
from rich.color import Color as TerminalColor
from rich.color import ColorSystem
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.theme import Theme

from tracker.app.textual_private import Styles
from tracker.app.theme import HEARTH, VELLUM, roles

READABLE = {"foreground": 7.0, "muted": 4.5, "faint": 3.0, "key": 4.5, "good": 4.5, "mid": 4.5, "bad": 4.5, "fear": 4.5}
"""Least contrast of a role with the background."""


def in_256_colors(theme: Theme) -> dict[str, Color]:
    """Return every role of a theme as a terminal with 256 colors shows it."""
    variables = theme.to_color_system().generate() | theme.variables
    shown = {name: variables[name] for name in ("background", "foreground")} | roles(variables, ansi=False)
    return {name: Color(*_downgraded(Color.parse(value))) for name, value in shown.items()}


def _downgraded(color: Color) -> tuple[int, int, int]:
    red, green, blue = TerminalColor.from_rgb(*color.rgb).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
    return red, green, blue


def hue(color: Color) -> float:
    return rgb_to_hls(*color.normalized)[0] * 360


@pytest.mark.parametrize("theme", [HEARTH, VELLUM], ids=lambda theme: theme.name)
class TestColorsOfAThemeIn256Colors:
    @pytest.mark.parametrize("role", ["background", "bar", "chip-bg", "rule", "cur-fg"])
    def test_surfaces_stay_neutral(self, theme: Theme, role: str) -> None:
        surface = in_256_colors(theme)[role]
        assert surface.r == surface.g == surface.b, surface.hex

    @pytest.mark.parametrize("role", READABLE)
    def test_text_stays_readable(self, theme: Theme, role: str) -> None:
        shown = in_256_colors(theme)
        brighter, darker = sorted((_luminance(shown[role]), _luminance(shown["background"])), reverse=True)
        assert (brighter + 0.05) / (darker + 0.05) >= READABLE[role]

    def test_outcomes_keep_their_hue(self, theme: Theme) -> None:
        shown = in_256_colors(theme)
        assert 90 <= hue(shown["good"]) <= 150
        assert 30 <= hue(shown["mid"]) <= 50
        assert hue(shown["bad"]) <= 15
        assert 260 <= hue(shown["fear"]) <= 300


def _luminance(color: Color) -> float:
    def linear(share: float) -> float:
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, color.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_styles_follow_the_focus_as_those_of_textual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours set what has changed; Textual's sets everything again."""

    def rules(player: Player) -> list[object]:
        return [widget.styles.base.get_rules() for widget in player.app.screen.walk_children()]

    async def act(player: Player) -> None:
        at_first = rules(player)
        await player.press("m", "escape", "t")
        ours = rules(player)
        assert ours != at_first
        monkeypatch.setattr(Styles, "replace_rules", Stylesheet.replace_rules)
        player.app.stylesheet.update(player.app.screen)
        assert rules(player) == ours

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act, size=(120, 40))
