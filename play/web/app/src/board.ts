// The drawn board: one SVG with a layer for each kind of thing. It knows no rules; it draws what a Scene says and reports what a pointer
// means. Walls are drawn from the same boxes that pointers and names use, so what is seen is what blocks.

import { replace, s, set } from "./dom.ts";
import {
  boardSize,
  CELL,
  cellBox,
  cellCentre,
  GROOVE,
  moveName,
  parseMove,
  squareName,
  targetAt,
  wallBox,
  type Point,
  type Rectangle,
  type Shape,
  type Target,
} from "./geometry.ts";

export interface Scene {
  shape: Shape;
  pawns: [string, string];
  walls: string[];
  lastMove: { move: string; from: string | null; by: number } | null;
  goals: string[]; // squares that the pawn can go to
  dots: boolean; // draw the goals
  wallDots: string[]; // legal walls to mark
  paths: [string[], string[]]; // empty ones are not drawn
  heat: Map<string, number> | null; // share of the policy by move
  ghost: string[]; // a variation from this position
  ghostSide: number; // who plays its first move
  coordinates: boolean;
  side: number | null; // whose pawn can move, null if nobody's
}

// Preview is a move that is aimed at and not yet played.
export interface Preview {
  target: Target;
  legal: boolean;
  pending: boolean; // waits for a second tap
  cut: string[]; // squares that the wall would cut off
  side: number;
}

const RIM = 14;

type Layer = "cells" | "heat" | "marks" | "paths" | "walls" | "targets" | "ghost" | "preview" | "cursor";
const layers: Layer[] = ["cells", "heat", "marks", "paths", "walls", "targets", "preview"];

export class Board {
  readonly element: SVGSVGElement;
  private readonly layer = new Map<Layer, SVGGElement>();
  private readonly pawns: [SVGGElement, SVGGElement];
  private readonly labels = s("g", { class: "coordinates" });
  private readonly frame = s("g");
  private scene: Scene | null = null;
  private drawnFor = "";
  private readonly drawnLayers = new Map<Layer, string>();

  constructor() {
    this.element = s("svg", { class: "board", "aria-hidden": "true", focusable: "false" }, hatching());
    this.element.append(this.frame, this.labels);
    for (const name of layers) {
      this.add(name);
    }
    this.pawns = [pawn(0), pawn(1)];
    this.element.append(...this.pawns);
    this.add("ghost");
    this.add("cursor");
  }

  private add(name: Layer): void {
    const group = s("g", { class: name });
    this.layer.set(name, group);
    this.element.append(group);
  }

  private put(name: Layer, ...children: (Node | null)[]): void {
    const group = this.layer.get(name);
    if (group) {
      replace(group, ...children);
    }
  }

  // redraw fills a layer if what it shows has changed; the search reports several times a second and mostly changes one layer.
  private redraw(name: Layer, scene: Scene, shown: unknown, make: () => (Node | null)[]): void {
    const key = JSON.stringify([scene.shape, shown]);
    if (this.drawnLayers.get(name) !== key) {
      this.drawnLayers.set(name, key);
      this.put(name, ...make());
    }
  }

  draw(scene: Scene): void {
    this.scene = scene;
    const { shape } = scene;
    const look = `${shape.w}x${shape.h} ${shape.flipped} ${scene.coordinates}`;
    if (look !== this.drawnFor) {
      this.drawnFor = look;
      this.drawFrame(scene);
    }
    for (const by of [0, 1] as const) {
      const at = cellCentre(shape, at0(scene.pawns[by]));
      this.pawns[by].style.transform = `translate(${at.x}px, ${at.y}px)`;
      this.pawns[by].classList.toggle("to-move", scene.side === by);
    }
    this.redraw("walls", scene, scene.walls, () => scene.walls.map((name) => wall(shape, name, "wall")));
    this.redraw("marks", scene, scene.lastMove, () => lastMove(scene));
    const goals = scene.dots ? scene.goals : [];
    this.redraw("targets", scene, [goals, scene.wallDots], () => [...goals.map((name) => dot(shape, name)), ...scene.wallDots.map((name) => wallDot(shape, name))]);
    this.redraw("paths", scene, scene.paths, () => scene.paths.map((path, by) => route(shape, path, by)));
    this.redraw("heat", scene, scene.heat && [...scene.heat], () => heat(scene));
    this.redraw("ghost", scene, [scene.ghost, scene.ghostSide], () => ghost(scene));
  }

  // aim shows a preview, or none.
  aim(preview: Preview | null): void {
    const shape = this.scene?.shape;
    if (!preview || !shape) {
      this.put("preview");
      return;
    }
    const { target } = preview;
    const state = `${preview.legal ? "legal" : "illegal"}${preview.pending ? " pending" : ""} by${preview.side}`;
    if (target.kind === "pawn") {
      const at = cellCentre(shape, target);
      this.put("preview", preview.legal ? s("circle", { class: `preview-pawn ${state}`, cx: at.x, cy: at.y, r: CELL * 0.33, "data-move": moveName(target) }) : null);
      return;
    }
    const cut = preview.cut.map((name) => s("rect", { class: "cut", "data-square": name, ...cornered(cellBox(shape, at0(name)), 5) }));
    const box = wallBox(shape, target);
    const shown = s("rect", { class: `preview-wall ${state}`, "data-move": moveName(target), ...cornered(box, 4) });
    this.put("preview", ...cut, shown, preview.legal ? null : cross(box));
  }

  // cursor shows where the keyboard is, or nowhere.
  cursor(target: Target | null): void {
    const shape = this.scene?.shape;
    if (!target || !shape) {
      this.put("cursor");
      return;
    }
    const box = grown(target.kind === "pawn" ? cellBox(shape, target) : wallBox(shape, target), 3);
    this.put("cursor", s("rect", { class: "cursor-halo", ...cornered(box, 7) }), s("rect", { class: "cursor-box", "data-target": moveName(target), ...cornered(box, 7) }));
  }

  // target says what a place of the window means, null outside the board.
  target(clientX: number, clientY: number): Target | null {
    const matrix = this.element.getScreenCTM();
    if (!matrix || !this.scene) {
      return null;
    }
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const goals = new Set(this.scene.goals);
    return targetAt(this.scene.shape, at, (p) => goals.has(squareName(p)));
  }

  private drawFrame(scene: Scene): void {
    const { shape } = scene;
    const size = boardSize(shape);
    const margin = scene.coordinates ? labelMargin(shape) : RIM;
    set(this.element, "viewBox", `${-margin} ${-margin} ${size.width + 2 * margin} ${size.height + 2 * margin}`);
    set(this.element, "data-ratio", (size.width + 2 * margin) / (size.height + 2 * margin));
    this.element.style.setProperty("--ratio", String((size.width + 2 * margin) / (size.height + 2 * margin)));
    const plate = grown({ x: 0, y: 0, ...size }, margin);
    const goal = (by: 0 | 1): SVGRectElement => {
      const top = (by === 0) !== shape.flipped;
      return s("rect", { class: `goal by${by}`, x: 0, y: top ? -GROOVE + 1 : size.height + 4, width: size.width, height: 5, rx: 2.5 });
    };
    replace(this.frame, s("rect", { class: "plate", ...cornered(plate, 14) }), goal(0), goal(1));
    const cells: SVGRectElement[] = [];
    for (let y = 0; y < shape.h; y++) {
      for (let x = 0; x < shape.w; x++) {
        cells.push(s("rect", { class: "cell", "data-square": squareName({ x, y }), ...cornered(cellBox(shape, { x, y }), 5) }));
      }
    }
    this.put("cells", ...cells);
    this.labels.style.fontSize = `${labelSize(shape)}px`;
    replace(this.labels, ...(scene.coordinates ? coordinates(shape) : []));
  }
}

// at0 is the place of a square or anchor that a message names.
function at0(name: string): Target {
  return parseMove(name) ?? { x: 0, y: 0, kind: "pawn" };
}

function cornered(box: Rectangle, rx: number): Record<string, number> {
  return { x: box.x, y: box.y, width: box.width, height: box.height, rx };
}

function grown(box: Rectangle, by: number): Rectangle {
  return { x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by };
}

// hatching is the pattern of squares that are cut off: lines, so that it does not depend on seeing colour.
function hatching(): SVGDefsElement {
  return s(
    "defs",
    {},
    s(
      "pattern",
      { id: "hatch", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { class: "hatch-ground", width: 9, height: 9 }),
      s("rect", { class: "hatch-line", width: 3.5, height: 9 }),
    ),
  );
}

// pawn draws player 0 as a disc and player 1 as a diamond: the shape tells them apart, the colour helps.
function pawn(by: 0 | 1): SVGGElement {
  const r = CELL * 0.34;
  const body = by === 0 ? s("circle", { class: "body", r }) : s("rect", { class: "body", x: -r * 0.84, y: -r * 0.84, width: r * 1.68, height: r * 1.68, rx: 5, transform: "rotate(45)" });
  const heart = by === 0 ? s("circle", { class: "heart", r: r * 0.38 }) : s("rect", { class: "heart", x: -r * 0.3, y: -r * 0.3, width: r * 0.6, height: r * 0.6, rx: 1.5, transform: "rotate(45)" });
  return s("g", { class: `pawn by${by}` }, s("circle", { class: "turn-ring", r: CELL * 0.47 }), body, heart);
}

function wall(shape: Shape, name: string, kind: string): SVGRectElement {
  return s("rect", { class: kind, "data-wall": name, ...cornered(wallBox(shape, at0(name)), 4) });
}

function lastMove(scene: Scene): SVGElement[] {
  const last = scene.lastMove;
  if (!last) {
    return [];
  }
  const target = at0(last.move);
  if (target.kind !== "pawn") {
    return [s("rect", { class: `last-wall by${last.by}`, ...cornered(grown(wallBox(scene.shape, target), 3), 6) })];
  }
  const squares = last.from ? [last.from, last.move] : [last.move];
  return squares.map((name) => s("rect", { class: `last-square by${last.by}`, ...cornered(cellBox(scene.shape, at0(name)), 5) }));
}

function dot(shape: Shape, name: string): SVGElement {
  const at = cellCentre(shape, at0(name));
  return s("circle", { class: "target", "data-goal": name, cx: at.x, cy: at.y, r: 6.5 });
}

function centre(box: Rectangle): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// wallDot is a short bar in the middle of a wall's place, short enough to lie clear of its neighbours.
function wallDot(shape: Shape, name: string): SVGElement {
  const target = at0(name);
  const at = centre(wallBox(shape, target));
  const [width, height] = target.kind === "h" ? [22, 3] : [3, 22];
  return s("rect", { class: "wall-target", "data-goal": name, x: at.x - width / 2, y: at.y - height / 2, width, height, rx: 1.5 });
}

// route draws a shortest path: player 0's as a line with round points, player 1's dashed with square ones.
function route(shape: Shape, path: string[], by: number): SVGElement | null {
  if (path.length < 2) {
    return null;
  }
  const shift = by === 0 ? -3 : 3; // two paths over the same squares stay apart
  const points = path.map((name) => cellCentre(shape, at0(name))).map((p) => ({ x: p.x + shift, y: p.y + shift }));
  const line = s("polyline", { points: points.map((p) => `${p.x},${p.y}`).join(" ") });
  const steps = points.slice(1).map((p) => (by === 0 ? s("circle", { cx: p.x, cy: p.y, r: 4 }) : s("rect", { x: p.x - 4, y: p.y - 4, width: 8, height: 8 })));
  return s("g", { class: `path by${by}`, "data-length": path.length - 1 }, line, ...steps);
}

function heat(scene: Scene): SVGElement[] {
  if (!scene.heat) {
    return [];
  }
  const drawnHeat: SVGElement[] = [];
  for (const [name, share] of scene.heat) {
    if (share < 0.002) {
      continue;
    }
    const target = at0(name);
    const strength = Math.min(1, 0.12 + Math.sqrt(share));
    if (target.kind === "pawn") {
      const box = cellBox(scene.shape, target);
      const at = centre(box);
      drawnHeat.push(s("rect", { class: "heat-cell", "data-heat": name, "fill-opacity": strength * 0.75, ...cornered(box, 5) }));
      if (share >= 0.01) {
        drawnHeat.push(s("text", { class: "heat-text", x: at.x, y: at.y + CELL / 2 - 3 }, `${Math.round(share * 100)}`));
      }
      continue;
    }
    const at = centre(wallBox(scene.shape, target));
    const [width, height] = target.kind === "h" ? [CELL, GROOVE - 2] : [GROOVE - 2, CELL];
    drawnHeat.push(s("rect", { class: "heat-wall", "data-heat": name, "fill-opacity": strength, x: at.x - width / 2, y: at.y - height / 2, width, height, rx: 3 }));
  }
  return drawnHeat;
}

const GHOST_PLIES = 8;

// ghost numbers the moves of a variation and shows them faintly.
function ghost(scene: Scene): SVGElement[] {
  return scene.ghost.slice(0, GHOST_PLIES).map((name, ply) => {
    const by = (scene.ghostSide + ply) % 2;
    const target = at0(name);
    const box = target.kind === "pawn" ? cellBox(scene.shape, target) : wallBox(scene.shape, target);
    const at = centre(box);
    const r = CELL * 0.26;
    const shape = target.kind !== "pawn" ? s("rect", cornered(box, 4)) : by === 0 ? s("circle", { cx: at.x, cy: at.y, r: CELL * 0.3 }) : s("rect", { x: at.x - r, y: at.y - r, width: 2 * r, height: 2 * r, rx: 4, transform: `rotate(45 ${at.x} ${at.y})` });
    const tag = s("circle", { class: "ghost-tag", cx: at.x, cy: at.y, r: 8.5 });
    return s("g", { class: `ghost-move by${by}`, "data-ghost": name }, shape, tag, s("text", { x: at.x, y: at.y + 4 }, String(ply + 1)));
  });
}

function cross(box: Rectangle): SVGElement {
  const at = centre(box);
  const r = 7;
  return s(
    "g",
    { class: "illegal-cross" },
    s("circle", { cx: at.x, cy: at.y, r: 11 }),
    s("path", { d: `M${at.x - r + 2} ${at.y - r + 2}L${at.x + r - 2} ${at.y + r - 2}M${at.x + r - 2} ${at.y - r + 2}L${at.x - r + 2} ${at.y + r - 2}` }),
  );
}

// labelSize keeps the letters about as large on small boards, which are drawn large, as on large ones.
function labelSize(shape: Shape): number {
  return Math.max(9, (13 * Math.max(shape.w, shape.h)) / 9);
}

function labelMargin(shape: Shape): number {
  return 11 + 1.5 * labelSize(shape);
}

function coordinates(shape: Shape): SVGElement[] {
  const size = boardSize(shape);
  const margin = labelMargin(shape);
  const font = labelSize(shape);
  const names: SVGElement[] = [];
  for (let x = 0; x < shape.w; x++) {
    const at = cellCentre(shape, { x, y: 0 });
    names.push(s("text", { x: at.x, y: size.height + margin - 0.6 * font }, String.fromCharCode(97 + x)));
  }
  for (let y = 0; y < shape.h; y++) {
    const at = cellCentre(shape, { x: 0, y });
    names.push(s("text", { x: -margin / 2 - 2, y: at.y + 0.35 * font }, String(y + 1)));
  }
  return names;
}

