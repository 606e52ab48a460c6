#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how long the sentences of the documentation are: per file, and of all files together.

Code blocks, tables, headings and comments are left out. A name in backticks counts as one word, a link as its text. An
item of a list ends a sentence, as a paragraph does.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONG_WORDS = 30

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
FENCED = re.compile(r"^(```|~~~).*?^\1 *$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^ *(?:[-*+]|\d+\.) +")
CODE = re.compile(r"`[^`]+`")
IMAGE = re.compile(r"!\[[^]]*\]\([^)]*\)")
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!et al\.)[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])")
WORD = re.compile(r"[A-Za-z0-9]")


@dataclass(frozen=True)
class Sentence:
    """One sentence without its marks."""

    file: str
    text: str

    @property
    def words(self) -> int:
        return sum(WORD.search(word) is not None for word in self.text.split())


@dataclass(frozen=True)
class Figures:
    """What is printed of a file, or of all."""

    name: str
    sentences: int
    median_words: int
    p90_words: int
    long_sentences: int


def paragraphs(text: str) -> Iterator[str]:
    """Those of a page, and the items of its lists, each as one line."""
    lines: list[str] = []
    was_blank = True
    for line in [*FENCED.sub("", COMMENT.sub("", text)).splitlines(), ""]:
        is_code = line.startswith("    ") and was_blank and not lines
        is_text = bool(line.strip()) and not is_code and not line.lstrip().startswith(("#", "|"))
        if lines and (not is_text or ITEM.match(line)):
            yield " ".join(lines)
            lines = []
        if is_text:
            lines.append(ITEM.sub("", line).strip())
        was_blank = is_code or not line.strip()


def plain(paragraph: str) -> str:
    """Without Markdown's marks."""
    with_names = CODE.sub("Name", IMAGE.sub("", paragraph))
    return LINK.sub(r"\1", with_names).replace("*", "")


def sentences_of(name: str, text: str) -> list[Sentence]:
    found = (part for paragraph in paragraphs(text) for part in SENTENCE_END.split(plain(paragraph)))
    return [sentence for sentence in (Sentence(name, part.strip()) for part in found) if sentence.words]


def figures(name: str, sentences: Sequence[Sentence], limit: int) -> Figures:
    lengths = sorted(sentence.words for sentence in sentences) or [0]
    return Figures(
        name=name,
        sentences=len(sentences),
        median_words=lengths[(len(lengths) - 1) // 2],
        p90_words=lengths[-(-len(lengths) * 9 // 10) - 1],
        long_sentences=sum(length > limit for length in lengths),
    )


def pages() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def print_table(rows: Sequence[Figures], limit: int) -> None:
    width = max(len(row.name) for row in rows)
    print(f"{'':{width}}  sentences  median   p90  over {limit} words")
    for row in rows:
        numbers = f"{row.sentences:9}  {row.median_words:6}  {row.p90_words:4}  {row.long_sentences:13}"
        print(f"{row.name:{width}}  {numbers}")


def name_of(path: Path) -> str:
    resolved = path.resolve()
    return str(resolved.relative_to(ROOT)) if resolved.is_relative_to(ROOT) else str(path)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="Markdown files; without any, all of the project")
    parser.add_argument("--json", action="store_true", help="print the figures and the long sentences as JSON")
    parser.add_argument("--long", action="store_true", help="print each long sentence, too")
    parser.add_argument("--max", type=int, metavar="WORDS", help="end with 1 if a sentence has more words than this")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    limit = options.max if options.max is not None else LONG_WORDS
    by_file = {name_of(path): sentences_of(name_of(path), path.read_text()) for path in options.files or pages()}
    every = [sentence for sentences in by_file.values() for sentence in sentences]
    rows = [figures(name, sentences, limit) for name, sentences in by_file.items()]
    total = figures("all", every, limit)
    long = [sentence for sentence in every if sentence.words > limit]
    if options.json:
        listed = [{**asdict(sentence), "words": sentence.words} for sentence in long]
        print(json.dumps({"files": [asdict(row) for row in rows], "all": asdict(total), "long": listed}, indent=2))
    else:
        print_table([*rows, total], limit)
        for sentence in long if options.long or options.max is not None else []:
            print(f"{sentence.file}: {sentence.words} words: {sentence.text}")
    return int(options.max is not None and bool(long))


if __name__ == "__main__":
    sys.exit(main())
