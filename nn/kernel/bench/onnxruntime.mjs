// Measures ONNX Runtime on a model file, one line for each number of threads and batch size:
//
//   node onnxruntime.mjs MODEL SECONDS THREADS BATCHES      as in  node onnxruntime.mjs net.onnx 1 1,2 1,8,64
//
// THREADS are intra-op threads. Run it where node finds onnxruntime-node. Rates are evaluations a second of wall-clock time and of processor
// time (all threads together). What is timed is the runtime alone, on planes that are ready.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "here.js"));
const ort = require("onnxruntime-node");

const [model, seconds, threads, batches] = process.argv.slice(2);
for (const n of threads.split(",").map(Number)) {
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: n,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
  });
  const [, planes, height, width] = session.inputMetadata[0].shape;
  for (const batch of batches.split(",").map(Number)) {
    const feeds = { planes: tensor(batch, planes, height, width) };
    let runs = 0;
    await session.run(feeds); // the first run allocates
    const start = performance.now();
    const cpu = process.cpuUsage();
    while (performance.now() - start < 1000 * seconds || runs === 0) {
      await session.run(feeds);
      runs++;
    }
    const wall = performance.now() - start;
    const used = process.cpuUsage(cpu);
    const rates = [(1e3 * runs * batch) / wall, (1e6 * runs * batch) / (used.user + used.system)].map((r) => r.toFixed(0));
    console.log(`threads ${n}  batch ${batch}  ${rates[0]} evaluations/s  ${rates[1]} a CPU second`);
  }
  await session.release();
}

// tensor returns planes of zeros and ones, as most planes of positions are.
function tensor(...shape) {
  const data = new Float32Array(shape.reduce((a, b) => a * b));
  for (let i = 0; i < data.length; i++) data[i] = (i * 2654435761) % 7 === 0 ? 1 : 0;
  return new ort.Tensor("float32", data, shape);
}
