"""Draw chats as HTML, about as the apps do on a phone of 360 pixels."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from unicodedata import name

from renderers import font_file

_FONT = "House, 'DejaVu Sans', sans-serif"
_FACES = "".join(
    f"@font-face {{ font-family: House; font-weight: {weight}; size-adjust: 96%;"
    f' src: url("data:font/ttf;base64,{b64encode(font_file(name).read_bytes()).decode()}") }}'
    for name, weight in (("regular", 400), ("semibold", 600), ("bold", 700))
)
_PAGE = """<!doctype html><meta charset="utf-8"><style>
{faces}
* {{ box-sizing: border-box }}
html, body {{ margin: 0; height: 100% }}
body {{ font-family: {font}; display: flex; flex-direction: column; overflow: hidden }}
header {{ padding: 14px 12px; font-weight: 600; font-size: 17px; flex: none }}
main {{ flex: 1; min-height: 0; overflow-y: auto; scrollbar-width: none; padding: 8px }}
img {{ display: block; width: 100% }}
pre {{ margin: 2px 0; white-space: pre; overflow-x: auto; scrollbar-width: none }}
footer {{ flex: none; padding: 13px 14px; font-size: 15px; opacity: .6 }}
.alert {{ position: fixed; left: 36px; right: 36px; top: 280px; padding: 18px; border-radius: 12px;
  background: #fff; color: #111; box-shadow: 0 4px 30px #0008; font-size: 16px; line-height: 22px }}
.toast {{ position: fixed; left: 12px; right: 12px; bottom: 64px; padding: 12px; font-size: 14px;
  border-radius: 8px; background: #333d; color: #fff }}
{style}
</style><body><header>{title}</header><main>{talk}</main><footer>{footer}</footer>{over}
<script>{{ const main = document.querySelector("main");
const shown = [...document.images].map(image => image.decode().catch(() => 0));
Promise.all([document.fonts.ready, ...shown]).then(() => {{
  main.scrollTop = main.scrollHeight; document.body.dataset.ready = "";
}}); }}</script>"""


def _page(style: str, title: str, talk: str, footer: str, over: str) -> str:
    return _PAGE.format(
        faces=_FACES,
        font=_FONT,
        style=style,
        title=escape(title),
        talk=talk,
        footer=footer,
        over=over,
    )


def _picture(data: bytes) -> str:
    return f'<img src="data:image/png;base64,{b64encode(data).decode()}">'


# Discord

_DISCORD = """
body { background: #fff; color: #2e3338; font-size: 16px; line-height: 20px }
header { border-bottom: 1px solid #e3e5e8 }
footer { border-top: 1px solid #e3e5e8 }
.said { margin: 0 -8px 10px; padding: 2px 8px 2px 64px; position: relative }
.face { background: #3f7d58; position: absolute; left: 12px; top: 3px; width: 40px;
  height: 40px; border-radius: 50%;
  color: #fff; display: grid; place-items: center; font-weight: 600 }
.who { font-weight: 600; font-size: 15px } .bot { background: #5865f2; color: #fff;
  font-size: 10px; padding: 1px 4px; border-radius: 3px; vertical-align: 2px; margin-left: 4px }
.used, .only { font-size: 12.5px; color: #5c6470; line-height: 17px }
.private { background: #5865f214; border-left: 3px solid #5865f2 }
.call { background: #faa81a22; border-left: 3px solid #f0b232 }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin-top: 2px }
img { border-radius: 8px; margin-top: 4px }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px }
.key { min-height: 40px; padding: 8px 14px; border-radius: 8px; font-size: 14px; font-weight: 600;
  background: #e3e5e8; line-height: 24px; max-width: 100% }
.k1 { background: #5865f2; color: #fff } .k3 { background: #248046; color: #fff }
.k4 { background: #da373c; color: #fff } .dead { opacity: .45 }
.pick { flex: 1; height: 44px; border-radius: 8px; background: #ebedef; padding: 11px 12px;
  font-size: 15px; color: #5c6470; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.pick::after { content: "⌄"; float: right; margin-left: 6px }
.mention { background: #5865f233; color: #4752c4; border-radius: 3px; padding: 0 2px }
code, pre { font: 13px/17px 'DejaVu Sans Mono', monospace; background: #f2f3f5;
  border-radius: 4px; padding: 1px 3px }
pre { padding: 7px; border: 1px solid #e3e5e8 }
.sheet { position: fixed; left: 0; right: 0; bottom: 0; max-height: 430px; overflow: hidden;
  background: #fff; border-radius: 16px 16px 0 0; box-shadow: 0 0 30px #0007; padding: 10px 16px }
.sheet div { padding: 11px 0; border-bottom: 1px solid #e3e5e8; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis }
"""
_SELECTS = (3, 5)
_PRIVATE = 1 << 6


def discord_page(
    title: str,
    messages: Sequence[Mapping[str, Any]],
    pictures: Mapping[int, bytes],
    *,
    names: Mapping[int, str],
    viewer: int,
    opened: Mapping[str, Any] | None = None,
) -> str:
    """Draw the channel for `viewer`; `opened` is a select menu that is open."""
    talk = "\n".join(_discord_message(one, pictures, names, viewer) for one in messages)
    over = ""
    if opened:
        rows = "".join(f"<div>{escape(one['label'])}</div>" for one in opened["options"])
        over = f'<div class="sheet"><b>{escape(opened.get("placeholder") or "")}</b>{rows}</div>'
    return _page(_DISCORD, title, talk, "Message #lounge", over)


def _discord_message(
    message: Mapping[str, Any], pictures: Mapping[int, bytes], names: Mapping[int, str], viewer: int
) -> str:
    is_private, content = message["flags"] & _PRIVATE, message["content"]
    calls = f"<@{viewer}>" in content and not is_private
    kind = "said" + (" private" if is_private else " call" if calls else "")
    used = ""
    about = message.get("interaction_metadata")
    if about and about["type"] == 2:
        who = escape(names.get(int(about["user"]["id"]), "?"))
        used = f'<div class="used">↱ {who} used /{escape(message.get("command", "…"))}</div>'
    body = _markdown(content, names) + "".join(
        _component(one, pictures.get(int(message["id"])), names) for one in message["components"]
    )
    only = '<div class="only">Only you can see this • Dismiss message</div>'
    return (
        f'<div class="{kind}"><div class="face" >A</div>'
        f'{used}<span class="who">Azumaya</span><span class="bot">APP</span>'
        f"{body}{only if is_private else ''}</div>"
    )


def _component(one: Mapping[str, Any], picture: bytes | None, names: Mapping[int, str]) -> str:
    match one["type"]:
        case 10:  # text
            return _markdown(one["content"], names)
        case 12:  # pictures
            return _picture(picture) if picture else "<i>(no picture)</i>"
        case 1:  # a row
            return f'<div class="row">{"".join(map(_widget, one["components"]))}</div>'
        case 13:  # a file
            return f'<div class="text">{escape(one["name"])}</div>'
        case _:
            return "".join(_component(child, picture, names) for child in one["components"])


def _widget(one: Mapping[str, Any]) -> str:
    if one["type"] in _SELECTS:
        return f'<div class="pick">{escape(one.get("placeholder") or "")}</div>'
    dead = " dead" if one.get("disabled") else ""
    return f'<div class="key k{one["style"]}{dead}">{escape(one.get("label") or "")}</div>'


def _markdown(text: str, names: Mapping[int, str]) -> str:
    if not text:
        return ""
    found = escape(text, quote=False)

    def mention(number: re.Match[str]) -> str:
        return f'<span class="mention">@{escape(names.get(int(number[1]), "?"))}</span>'

    for pattern, by in (
        (r"```(?:\w*\n)?(.*?)```", r"<pre>\1</pre>"),
        (r"`([^`\n]+)`", r"<code>\1</code>"),
        (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
        (r"(?m)^-# (.*)$", r"<small>\1</small>"),
        (r"&lt;(/[^:&]+):\d+&gt;", r'<span class="mention">\1</span>'),
        (r"\\([*_`~|&lt;#>\\.()\[\]-])", r"\1"),
    ):
        found = re.sub(pattern, by, found, flags=re.DOTALL)
    found = re.sub(r"&lt;@(\d+)&gt;", mention, found)
    return f'<div class="text">{found}</div>'


# Telegram

_TELEGRAM = """
body { background: #cfdcc3; color: #000; font-size: 16px; line-height: 20px }
header { background: #527da3; color: #fff } footer { background: #fff }
.said { display: flex; flex-direction: column; align-items: start; margin-bottom: 6px }
.mine { align-items: end }
.bubble { max-width: 300px; background: #fff; border-radius: 12px; padding: 6px 9px;
  white-space: pre-wrap; overflow-wrap: anywhere }
.photo .bubble { width: 252px; padding: 0 } .photo .bubble > div { padding: 4px 9px 6px }
.photo img { border-radius: 12px 12px 0 0; margin-bottom: 4px }
.mine .bubble { background: #eeffde }
.who { color: #b3507d; font-weight: 600; font-size: 14.5px }
.reply { border-left: 3px solid #527da3; padding-left: 6px; font-size: 13.5px; color: #527da3;
  line-height: 17px; margin-bottom: 3px; max-height: 34px; overflow: hidden }
.keys { display: grid; gap: 3px; margin-top: 3px } .photo .keys { width: 252px }
.keys div { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 3px }
.keys span { height: 45px; border-radius: 7px; background: #5b7a8fcc; color: #fff;
  font-size: 15px;
  line-height: 45px; text-align: center; padding: 0 2px; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis; font-weight: 600 }
.keys .primary { background: #3390ec } .keys .success { background: #2e9e5b }
.keys .danger { background: #d9534f }
blockquote { margin: 3px 0; border-left: 3px solid #527da3; background: #527da31a; padding: 2px 6px;
  font-size: 14px; line-height: 18px; border-radius: 4px; max-height: 58px; overflow: hidden }
.mention, .command { color: #2a70ab } .smile { font-size: 13px; align-self: end }
pre, code { font: 12px/15px 'DejaVu Sans Mono', monospace }
pre { background: #527da31a; padding: 4px }
"""
_TAGS = {"bold": "b", "italic": "i", "code": "code", "pre": "pre", "underline": "u"}


def telegram_page(
    title: str,
    messages: Sequence[Mapping[str, Any]],
    pictures: Mapping[str, bytes],
    *,
    viewer: int,
    alert: str = "",
    toast: str = "",
    reactions: Mapping[int, str] | None = None,
) -> str:
    """Draw a chat for `viewer`, with the answer to a press."""
    talk = "\n".join(
        _telegram_message(one, pictures, viewer, (reactions or {}).get(one["message_id"], ""))
        for one in messages
    )
    over = f'<div class="alert">{escape(alert)}<br><br><b>OK</b></div>' if alert else ""
    over += f'<div class="toast">{escape(toast)}</div>' if toast else ""
    return _page(_TELEGRAM, title, talk, "Message", over)


def _telegram_message(
    message: Mapping[str, Any], pictures: Mapping[str, bytes], viewer: int, reaction: str
) -> str:
    sender = message["from"]
    kind = "said" + (" photo" if "photo" in message else "")
    kind += " mine" if sender["id"] == viewer else ""
    body = ""
    if message["chat"]["type"] != "private" and sender["id"] != viewer:
        body += f'<div class="who">{escape(sender["first_name"])}</div>'
    if other := message.get("reply_to_message"):
        said = other.get("text") or other.get("caption") or "Photo"
        body += f'<div class="reply">{escape(other["from"]["first_name"])}\n{escape(said)}</div>'
    text = message.get("text") or message.get("caption") or ""
    entities = message.get("entities") or message.get("caption_entities") or []
    if "document" in message:
        body += f"{escape(message['document']['file_name'])}\n"
    body += _formatted(text, entities)
    if "photo" in message:
        body = f"{_picture(pictures[message['photo'][0]['file_id']])}<div>{body}</div>"
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    keys = "".join(f"<div>{''.join(map(_key, row))}</div>" for row in rows)
    keys = f'<div class="keys">{keys}</div>' if keys else ""
    # In words: not every machine has letters for it.
    smile = f'<span class="smile">({name(reaction[0]).lower()})</span>' if reaction else ""
    # As wide as its bubble, which is at least as wide as a keyboard needs.
    wide = ' style="width:300px"' if keys and "photo" not in message else ""
    return (
        f'<div class="{kind}"><div{wide}><div class="bubble"{wide}>{body}</div>{keys}{smile}</div>'
        "</div>"
    )


def _key(button: Mapping[str, str]) -> str:
    mark = " ↗" if "url" in button else ""
    return f'<span class="{button.get("style", "")}">{escape(button["text"])}{mark}</span>'


def _formatted(text: str, entities: Sequence[Mapping[str, Any]]) -> str:
    units = text.encode("utf-16-le")

    def part(start: int, end: int | None = None) -> str:
        return escape(units[2 * start : None if end is None else 2 * end].decode("utf-16-le"))

    made, at = "", 0
    for one in sorted(entities, key=lambda one: (one["offset"], -one["length"])):
        start, end = one["offset"], one["offset"] + one["length"]
        if start < at:
            continue
        made += part(at, start)
        kind, inner = one["type"], part(start, end)
        if kind in _TAGS:
            made += f"<{_TAGS[kind]}>{inner}</{_TAGS[kind]}>"
        elif "blockquote" in kind:
            made += f"<blockquote>{inner}</blockquote>"
        else:
            is_command = kind == "bot_command"
            made += f'<span class="{"command" if is_command else "mention"}">{inner}</span>'
        at = end
    return made + part(at)
