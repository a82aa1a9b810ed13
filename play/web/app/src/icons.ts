// The line icons of buttons, drawn on a grid of 24.

import { s } from "./dom.ts";

const paths = {
  first: "M18 6l-6 6 6 6M7 6v12",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M17 6v12",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  flip: "M7 4v15m0 0l-3-3m3 3l3-3M17 20V5m0 0l-3 3m3-3l3 3",
  flag: "M5 21V4m0 1c5-3 8 3 14 0v9c-6 3-9-3-14 0",
  plus: "M12 5v14M5 12h14",
  share: "M12 15V4m0 0L8 8m4-4l4 4M5 13v6h14v-6",
  runs: "M4 6h16M4 12h16M4 18h10",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  help: "M9 9a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 2.2M12 17.5v.1",
  chart: "M4 19V5M4 19h16M8 15l4-5 3 3 5-7",
  close: "M6 6l12 12M18 6L6 18",
  moon: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  up: "M12 19V5m0 0l-6 6m6-6l6 6",
} as const;

export type Icon = keyof typeof paths;

export function icon(name: Icon): SVGSVGElement {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: paths[name] }));
}

// sign is a player's sign: a disc for player 0, a diamond for player 1.
export function sign(side: number): SVGSVGElement {
  const body = side === 0 ? s("circle", { cx: 8, cy: 8, r: 6.5 }) : s("rect", { x: 3, y: 3, width: 10, height: 10, rx: 1.5, transform: "rotate(45 8 8)" });
  return s("svg", { class: `sign by${side}`, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, body);
}
