"""Reading JSON text into a tree, afresh or after an edit. Reading never fails: what is wrong is in `tree.problems`."""

from __future__ import annotations

from bisect import bisect_left

from plancheck.collection import collection_paused
from plancheck.syntax.parser import MOST_FAILURES, Parser, reach
from plancheck.syntax.recovery import Frame, column_of, note_child
from plancheck.syntax.tokens import Expect
from plancheck.syntax.tree import Gap, Problem, Spine, Top, Tree
from plancheck.text import Edit


def read(text: str) -> Tree:
    """Read a whole document."""
    parser = Parser(text, chunked=True)
    with collection_paused():
        parser.run()
    parser.tree.reusable = parser.failures <= MOST_FAILURES
    return parser.tree


def reread(tree: Tree, edit: Edit, text: str) -> Tree:
    """Read `text`, which is the tree's text after `edit`, taking over every chunk that reads the same as before.

    The parser is put back to a point before the edit and runs until it stands, past the edit, before an element that
    the old tree has too; from there on the old tree is right. What makes both ends safe: the parser looks ahead at
    most into the element that comes next, so the point before the edit has one untouched proper element between.
    """
    found = _list_around(tree, edit) if tree.reusable else None
    if found is None:
        return read(text)
    place, spine = found
    edited = bisect_left(spine.starts, edit.start) - 1
    last_reused = next(
        (i for i in range(edited - 1, -1, -1) if spine.chunks[i].text[0] == "{" and not spine.chunks[i].problems), -1
    )
    if last_reused < 0 and any(gap.met < spine.start for gap in tree.gaps):
        return read(text)
    if any(reach(tree.text, spine.starts[i]) >= edit.start for i in spine.broken if i <= last_reused):
        return read(text)
    delta = len(edit.new_text) - (edit.end - edit.start)
    parser = _put_back(tree, place, spine, last_reused, text)
    frame = parser.stack[-1]
    behind = bisect_left(spine.starts, edit.end, lo=edited + 1)
    parser.fits = {spine.starts[i] + delta: i for i in range(behind, min(behind + 64, len(spine.starts)))}
    parser.fits_in = frame
    parser.run()
    if last_reused < 0 and parser.met_again is not None and not _looks_alike(tree, spine, frame, behind):
        return read(text)
    new = parser.tree
    new.reusable = parser.failures <= MOST_FAILURES
    if parser.met_again is not None:
        rest = parser.fits[parser.met_again]
        frame.children.follow_depth(
            spine, spine.chunks[last_reused + 1 : rest], frame.children.chunks[last_reused + 1 :]
        )
        _take_over(tree, edit, delta, place, spine, parser, rest)
    return new


def _list_around(tree: Tree, edit: Edit) -> tuple[int | None, Spine] | None:
    """The list that holds the edit inside one of its elements, and the place of its member in the document."""
    if isinstance(tree.root, Spine):
        candidates: list[tuple[int | None, Spine]] = [(None, tree.root)]
    elif isinstance(tree.root, list):
        candidates = [(i, top.value) for i, top in enumerate(tree.root) if isinstance(top.value, Spine)]
    else:
        return None
    for place, spine in candidates:
        if spine.starts and spine.starts[0] < edit.start and edit.end < spine.end:
            return place, spine
    return None


def _put_back(tree: Tree, place: int | None, spine: Spine, last_reused: int, text: str) -> Parser:
    """A parser of `text` in the state it had behind the element `last_reused` (or, at -1, before the first one)."""
    parser = Parser(text, chunked=True)
    frame = Frame("[", spine.start, top=True)
    parser.tree.start = tree.start
    if place is not None:
        assert isinstance(tree.root, list)
        root = Frame("{", tree.start, top=True)
        member = tree.root[place]
        root.children = tree.root[:place]
        root.indent = column_of(text, (tree.root[0] if place else member).key_start)
        root.key, root.expect = (member.key, member.key_start, member.key_end), Expect.VALUE
        parser.stack.append(root)
    parser.stack.append(frame)
    parser.position = spine.start + 1
    if last_reused >= 0:
        note_child(frame, text, spine.starts[0])
        frame.children.starts = spine.starts[: last_reused + 1]
        frame.children.chunks = spine.chunks[: last_reused + 1]
        frame.children.broken = [i for i in spine.broken if i <= last_reused]
        frame.expect = Expect.NEXT
        parser.position = spine.starts[last_reused] + len(spine.chunks[last_reused].text)
    parser.tree.gaps = [gap for gap in tree.gaps if gap.met < parser.position]
    return parser


def _looks_alike(tree: Tree, spine: Spine, frame: Frame, behind: int) -> bool:
    """Whether the rest of the list reads the same although its first element, the model for recovery, may differ."""
    if not (spine.broken and spine.broken[-1] >= behind) and not tree.gaps:
        return True
    before = Frame("[", spine.start, top=True)
    note_child(before, tree.text, spine.starts[0])
    return (before.indent, before.keys) == (frame.indent, frame.keys)


def _take_over(tree: Tree, edit: Edit, delta: int, place: int | None, old: Spine, parser: Parser, rest: int) -> None:
    """Finish the parser's tree with everything of the old one from the element `rest` on."""
    new, spine = parser.tree, parser.stack[-1].children
    grown = len(spine.chunks) - rest
    spine.starts += [start + delta for start in old.starts[rest:]] if delta else old.starts[rest:]
    spine.chunks += old.chunks[rest:]
    spine.broken += [i + grown for i in old.broken if i >= rest]
    spine.end = old.end + delta
    if place is None:
        new.root = spine
    else:
        assert isinstance(tree.root, list)
        member = tree.root[place]
        tail = tree.root[place + 1 :]
        new.root = [
            *tree.root[:place],
            Top(member.key, member.key_start, member.key_end, member.start, spine),
            *(top.shifted(delta) for top in tail),
        ]
    new.end = tree.end + delta
    for met, (start, end, message) in tree.gaps:
        if met > old.starts[rest]:
            moved = delta if start >= edit.end else 0
            new.gaps.append(Gap(met + delta, Problem(start + moved, end + moved, message)))
