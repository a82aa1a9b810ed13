// From what is known of the game to what is drawn.

import type { Scene } from "./board.ts";
import type { GameState, View } from "./api.ts";
import type { Session } from "./session.ts";

export function sceneOf(session: Session, ghost: string[]): Scene | null {
  const { state, view, settings, canMove } = session;
  if (!state || !view) {
    return null;
  }
  return {
    shape: session.shape,
    pawns: view.pawns,
    walls: view.walls,
    lastMove: lastMove(state, view),
    goals: canMove ? view.pawnMoves : [],
    dots: settings.dots || settings.walls,
    wallDots: settings.walls && canMove ? view.wallMoves : [],
    paths: settings.paths ? view.paths : [[], []],
    heat: settings.heat ? heat(session, view) : null,
    ghost,
    ghostSide: view.side,
    coordinates: settings.coordinates,
    side: view.result ? null : view.side,
  };
}

// heat is the policy to show: the live search's, or the one that a run recorded; nothing while hints are hidden.
function heat(session: Session, view: View): Map<string, number> | null {
  const policy = session.analysis?.node === view.node ? session.analysis.policy : view.record?.policy;
  return policy && !(session.playing && !session.state?.hints) ? new Map(Object.entries(policy)) : null;
}

// lastMove finds the move that led to the view, and for a pawn the square that it came from.
function lastMove(state: GameState, view: View): Scene["lastMove"] {
  const nodes = new Map(state.nodes.map((n) => [n.id, n]));
  const node = nodes.get(view.node);
  if (!node?.move || node.side === undefined) {
    return null;
  }
  if (/[hv]$/.test(node.move)) {
    return { move: node.move, from: null, by: node.side };
  }
  for (let at = nodes.get(node.parent); at; at = nodes.get(at.parent)) {
    if (at.move && at.side === node.side && !/[hv]$/.test(at.move)) {
      return { move: node.move, from: at.move, by: node.side };
    }
  }
  const start = state.setup.start.split(" ");
  return { move: node.move, from: start[1 + node.side] ?? null, by: node.side };
}
