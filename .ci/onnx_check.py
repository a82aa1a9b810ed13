"""Checks model files with the reference implementation of ONNX, as strictly as it can, and that they keep to the operators that every runtime
we know takes (nn/onnx). Fails with the first file that does not pass.

    python3 onnx_check.py FILE...
"""

import sys

import onnx
from onnx import numpy_helper

PORTABLE = {"Conv", "Relu", "Add", "Mul", "Concat", "Flatten", "MatMul", "GlobalAveragePool"}


def shape(value):
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


def check(path):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    known = {v.name: shape(v) for v in [*inferred.graph.value_info, *inferred.graph.output]}
    for node in model.graph.node:
        if node.op_type not in PORTABLE:
            raise SystemExit(f"{path}: operator {node.op_type} of node {node.name} is not in the portable subset")
        for name in node.output:
            if name not in known or known[name][0] != "N":
                raise SystemExit(f"{path}: the shape of {name} is {known.get(name)}, want a batch N")
    if any(t.data_type != onnx.TensorProto.FLOAT for t in model.graph.initializer):
        raise SystemExit(f"{path}: a tensor is not float32")
    weights = sum(numpy_helper.to_array(t).size for t in model.graph.initializer)
    board = dict((p.key, p.value) for p in model.metadata_props)["rampart.board"]
    print(f"onnx {onnx.__version__}: {board}: {len(model.graph.node)} nodes, {weights} numbers, outputs "
          + ", ".join(f"{v.name} {shape(v)}" for v in inferred.graph.output))


for file in sys.argv[1:]:
    check(file)
