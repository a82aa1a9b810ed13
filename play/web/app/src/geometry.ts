// Where things are: names of squares and walls, and their place on a drawn board that may be flipped.
//
// Columns are counted from a (x = 0), rows from 1 (y = 0). A wall's anchor is the square at its lower left. On the drawing a cell is
// CELL wide and a groove GROOVE; the drawing's origin is the upper left corner of the upper left cell.

export const CELL = 42;
export const GROOVE = 10;
export const PITCH = CELL + GROOVE;

export interface Point {
  x: number;
  y: number;
}

// Target is what a pointer, a cursor or a move means: a square for the pawn, or a wall's anchor.
export interface Target extends Point {
  kind: "pawn" | "h" | "v";
}

export interface Shape {
  w: number;
  h: number;
  flipped: boolean;
}

export interface Rectangle extends Point {
  width: number;
  height: number;
}

export function squareName(p: Point): string {
  return String.fromCharCode(97 + p.x) + (p.y + 1);
}

export function moveName(t: Target): string {
  return squareName(t) + (t.kind === "pawn" ? "" : t.kind);
}

// parseMove reads a move or a square; null if it is neither. It does not know the board's size.
export function parseMove(text: string): Target | null {
  const match = /^([a-i])([1-9])([hv]?)$/.exec(text.trim().toLowerCase());
  if (!match) {
    return null;
  }
  const [, column = "a", row = "1", kind = ""] = match;
  return { x: column.charCodeAt(0) - 97, y: Number(row) - 1, kind: kind === "" ? "pawn" : (kind as "h" | "v") };
}

// drawn turns a square into its column and row on the drawing, and back: the map is its own inverse.
export function drawn(shape: Shape, p: Point): Point {
  return shape.flipped ? { x: shape.w - 1 - p.x, y: p.y } : { x: p.x, y: shape.h - 1 - p.y };
}

export function cellBox(shape: Shape, p: Point): Rectangle {
  const d = drawn(shape, p);
  return { x: d.x * PITCH, y: d.y * PITCH, width: CELL, height: CELL };
}

export function cellCentre(shape: Shape, p: Point): Point {
  const box = cellBox(shape, p);
  return { x: box.x + CELL / 2, y: box.y + CELL / 2 };
}

// wallBox is where a wall is drawn: exactly over the two edges that it blocks.
export function wallBox(shape: Shape, t: Target): Rectangle {
  const a = cellBox(shape, t);
  const b = cellBox(shape, { x: t.x + 1, y: t.y + 1 });
  const left = Math.min(a.x, b.x);
  const top = Math.min(a.y, b.y);
  return t.kind === "h"
    ? { x: left, y: top + CELL, width: CELL + PITCH, height: GROOVE }
    : { x: left + CELL, y: top, width: GROOVE, height: CELL + PITCH };
}

export function boardSize(shape: Shape): { width: number; height: number } {
  return { width: shape.w * PITCH - GROOVE, height: shape.h * PITCH - GROOVE };
}

export function onBoard(shape: Shape, t: Target): boolean {
  const last = t.kind === "pawn" ? 0 : 1;
  return t.x >= 0 && t.y >= 0 && t.x < shape.w - last && t.y < shape.h - last;
}

// targetAt finds what a point of the drawing means. The inner part of a cell is the cell: a large part if the pawn can go there
// (isGoal), else a small one, since then only walls can be meant and a groove is thin under a finger. Everything else belongs to the
// nearest groove, and the wall's middle is the anchor nearest to the point. Null outside the board.
export function targetAt(shape: Shape, at: Point, isGoal: (p: Point) => boolean): Target | null {
  const size = boardSize(shape);
  const outside = GROOVE;
  if (at.x < -outside || at.y < -outside || at.x > size.width + outside || at.y > size.height + outside) {
    return null;
  }
  const column = clamp(Math.floor((at.x + GROOVE / 2) / PITCH), 0, shape.w - 1);
  const row = clamp(Math.floor((at.y + GROOVE / 2) / PITCH), 0, shape.h - 1);
  const cell = drawn(shape, { x: column, y: row });
  const dx = at.x - (column * PITCH + CELL / 2);
  const dy = at.y - (row * PITCH + CELL / 2);
  const inner = CELL * (isGoal(cell) ? 0.42 : 0.2);
  if (Math.max(Math.abs(dx), Math.abs(dy)) <= inner) {
    return { ...cell, kind: "pawn" };
  }
  const vertical = Math.abs(dx) > Math.abs(dy);
  // The anchor on the drawing: the crossing of grooves right of column i and below row j.
  const toward = (d: number): number => (d > 0 ? 0 : -1);
  const i = column + toward(dx);
  const j = row + toward(dy);
  if (vertical ? i < 0 || i > shape.w - 2 : j < 0 || j > shape.h - 2) {
    return null; // the rim has no groove
  }
  return anchorAt(shape, clamp(i, 0, shape.w - 2), clamp(j, 0, shape.h - 2), vertical ? "v" : "h");
}

function anchorAt(shape: Shape, i: number, j: number, kind: "h" | "v"): Target {
  const a = drawn(shape, { x: i, y: j });
  const b = drawn(shape, { x: i + 1, y: j + 1 });
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), kind };
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
