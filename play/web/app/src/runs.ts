// The dialog that opens games of a training run: run, shard, game.

import { api, type Shard } from "./api.ts";
import { field, openDialog, option } from "./dialog.ts";
import { h, replace, text } from "./dom.ts";
import type { Session } from "./session.ts";

const page = 50;

export async function runsDialog(session: Session): Promise<void> {
  const problem = h("p", { class: "problem", role: "alert" });
  const run = h("select", { id: "run" });
  const shard = h("select", { id: "shard" });
  const list = h("div", { class: "run-games", tabindex: 0, role: "group", "aria-label": "Games" });
  const range = h("span", { class: "faint" });
  let from = 0;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      text(problem, "");
      await work();
    } catch (error) {
      text(problem, error instanceof Error ? error.message : String(error));
    }
  };
  const showGames = (): Promise<void> =>
    attempt(async () => {
      const { games, of } = await api.games(Number(run.value), Number(shard.value), from, page);
      text(range, of === 0 ? "no games" : `${from + 1} to ${from + games.length} of ${of}`);
      const open = (game: number): Promise<void> =>
        attempt(async () => {
          session.notice = "";
          if (await session.create({ run: { run: Number(run.value), shard: Number(shard.value), game } })) {
            dialog.close();
            void session.go("start");
          } else {
            text(problem, session.notice);
          }
        });
      replace(
        list,
        ...games.map((g) => h("button", { type: "button", class: "run-game", "data-game": g.game, onclick: () => void open(g.game) }, h("b", {}, `Game ${g.game}`), h("span", {}, `${g.result}, ${g.plies} plies`), h("span", { class: "faint" }, g.text))),
      );
    });
  const showShards = (): Promise<void> =>
    attempt(async () => {
      const { shards } = await api.shards(Number(run.value));
      const label = (s: Shard): string => `shard ${s.shard}: ${s.games} games, ${s.board} with ${s.walls}, ${s.model}${s.open ? " (being written)" : ""}`;
      replace(shard, ...shards.map((s) => option(String(s.shard), label(s))));
      shard.value = String(shards.at(-1)?.shard ?? "");
      from = 0;
      await (shards.length > 0 ? showGames() : Promise.resolve(replace(list, h("p", { class: "faint" }, "This run has no games yet."))));
    });
  run.addEventListener("change", () => void showShards());
  shard.addEventListener("change", () => {
    from = 0;
    void showGames();
  });
  const turn = (by: number): void => {
    from = Math.max(0, from + by);
    void showGames();
  };
  const dialog = openDialog(
    "Games of a run",
    h("div", { class: "field-row" }, field("Run", run), field("Shard", shard)),
    problem,
    list,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button small", onclick: () => turn(-page) }, "Earlier"), h("button", { type: "button", class: "button small", onclick: () => turn(page) }, "Later"), range),
  );
  await attempt(async () => {
    const { runs } = await api.runs();
    replace(run, ...runs.map((r) => option(String(r.run), `${r.name} (${r.shards} shards)`)));
    await showShards();
  });
}
