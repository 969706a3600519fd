// Reads a JSON list of texts in KDL and prints their nodes. Arguments: the folder with node_modules.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const { parse } = createRequire(process.argv[2] + "/")("kdljs");

const plain = (node) => ({
  name: node.name,
  values: node.values,
  named: node.properties,
  inside: node.children.map(plain),
});

const read = (text) => {
  const { errors, output } = parse(text);
  return errors.length ? errors.map(String) : output.map(plain);
};

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
