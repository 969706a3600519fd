"""Names and files that might break a program, for tests that nothing breaks."""

import os
import socket


def make_socket(path: str | os.PathLike[str]) -> None:
    """Make a socket that no program listens to under this path."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.fspath(path))


HOSTILE: list[tuple[str, str]] = [
    # Markup of the screens
    ("closing markup tag", "Ana [/oops]"),
    ("opening markup tag", "[bold red]x"),
    ("markup with an action", "[@click=app.quit]leave[/]"),
    ("unbalanced brackets", "]] [ [[ \\["),
    # What a terminal acts on
    ("colour escape", "\x1b[31mred\x1b[0m"),
    ("cursor escape", "Ana\x1b[2J\x1b[H\x1b[10A"),
    ("one-character escape", "\x9b31mred\x9bm"),
    ("clipboard escape", "\x1b]52;c;aGVsbG8=\x07"),
    ("title escape", "\x1b]0;gotcha\x1b\\"),
    ("device query", "\x1b[c\x1b[6n\x1bP$q\x1b\\"),
    ("bell", "ding\x07dong"),
    ("null", "An\x00a"),
    ("backspaces", "Ana\x08\x08\x08Bob"),
    ("delete", "Ana\x7f"),
    ("carriage return", "Ana says yes\rBob"),
    ("lines", "Ana\nBob\r\nCy"),
    ("tab", "Ana\tBob"),
    ("line and paragraph separator", "Ana\u2028Bob\u2029Cy\x85Di"),
    # What hides or misleads
    ("bidi override", "save\u202elmot.exe"),
    ("bidi isolate left open", "\u2067Ana\u200f \u061c(1)"),
    ("zero width", "A\u200bn\u2060a\ufeff"),
    ("joiners that join nothing", "A\u200dn\u200ca\u200d"),
    ("nothing", ""),
    ("only spaces", "     "),
    ("only invisible", "\u3164\u200b\u2800\u00a0"),
    ("soft hyphen", "Ana\u00adstasia"),
    ("tag characters", "Ana\U000e0041\U000e0042\U000e007f"),
    ("private use", "\ue000\U000f0000 Ana"),
    ("unassigned", "Ana\u0378\U0003ffff"),
    ("surrogates from the command line", "Ana \udc80\udcff"),
    ("look-alikes", "Аnа"),
    ("marks piled up", "Z" + "\u0301\u0316\u0335" * 40 + "algo"),
    ("marks without a letter", "\u0301\u0302 Ana"),
    # What must stay readable
    ("family", "👩\u200d👩\u200d👧\u200d👦 Smith"),
    ("skin tone and profession", "👩🏽\u200d🚒 Ana"),
    ("flags", "🇫🇷🇯🇵🇧"),
    ("variation selectors", "❤\ufe0f 1\ufe0f\u20e3 葛\U000e0100 A\ufe0f"),
    ("wide characters", "漢字とカナ 한글 ＡＢＣ"),
    ("Hebrew", "דָּוִד בֶּן־גּוּרְיוֹן"),
    ("Arabic", "مُحَمَّد بن سلمان"),
    ("Persian with a non-joiner", "علی\u200cرضا"),
    ("Devanagari with joiners", "क्\u200dष क्\u200cष श्री"),
    ("accents apart from their letters", "Ame\u0301lie Nguye\u0302\u0303n"),
    # Length
    ("ten thousand characters", "x" * 10_000),
    ("ten thousand wide characters", "漢" * 10_000),
    ("ten thousand escapes", "\x1b" * 10_000),
    # What a save or a pack is written in
    ("three double quotes", 'Ana """ Bob'),
    ("three single quotes", "Ana ''' Bob"),
    ("backslashes", "C:\\new\\table\\u0041\\"),
    ("end of a record", "#= 12 deadbeef"),
    ("table header", "[[entry]]"),
    ("inline table", "{ a = 1 }"),
    ("assignment", 'name = "Bob"\n[character]\nhealth = 5'),
    # What a shell, a file system or a formatter acts on
    ("path upwards", "../../etc/passwd"),
    ("device name", "CON"),
    ("option", "-rf"),
    ("shell substitution", "$(touch x) `touch x` ; touch x"),
    ("placeholders", "%s %d {0} {name} ${name}"),
]
