/** A box of a model, in mm: its size and the middle of its bottom face. The y axis points up. */
export interface Block {
  readonly size: readonly [width: number, height: number, depth: number];
  readonly at: readonly [x: number, y: number, z: number];
}

const metres = (mm: number) => mm / 1000;

/** The six faces of the unit cube: for each a corner and two edges, counter-clockwise. */
const sides: readonly (readonly [corner: Point, edge: Point, edge: Point, normal: Point])[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ],
  [
    [0, 0, 1],
    [0, 1, 0],
    [0, 0, -1],
    [-1, 0, 0],
  ],
  [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, 0, -1],
  ],
];
type Point = readonly [number, number, number];
const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** glTF colours are in linear light. */
const linear = (hex: string): number[] =>
  [1, 3, 5].map((from) => {
    const channel = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });

/** A 3D model of boxes in one colour, as binary glTF 2.0 in metres. */
export function glb(name: string, hex: string, blocks: readonly Block[]): Uint8Array {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const { size, at } of blocks) {
    const inPlace = ([x, y, z]: Point) => [
      metres(at[0] + (x - 0.5) * size[0]),
      metres(at[1] + y * size[1]),
      metres(at[2] + (z - 0.5) * size[2]),
    ];
    for (const [corner, edge, other, normal] of sides) {
      const first = positions.length / 3;
      const corners = [
        corner,
        plus(corner, edge),
        plus(plus(corner, edge), other),
        plus(corner, other),
      ];
      for (const each of corners) {
        positions.push(...inPlace(each));
        normals.push(...normal);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  const parts = [new Float32Array(positions), new Float32Array(normals), new Uint16Array(indices)];
  const binary = Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer)));
  return container(documentOf(name, hex, positions, parts), binary);
}

const [float, unsignedShort, arrayBuffer, elementArrayBuffer] = [5126, 5123, 34962, 34963];

function documentOf(
  name: string,
  hex: string,
  positions: readonly number[],
  parts: readonly (Float32Array | Uint16Array)[],
): object {
  const extent = (pick: (...values: number[]) => number) =>
    [0, 1, 2].map((axis) =>
      Math.fround(pick(...positions.filter((_, index) => index % 3 === axis))),
    );
  let byteOffset = 0;
  const bufferViews = parts.map(({ byteLength }, index) => {
    const target = index < 2 ? arrayBuffer : elementArrayBuffer;
    const view = { buffer: 0, byteOffset, byteLength, target };
    byteOffset += byteLength;
    return view;
  });
  const count = positions.length / 3;
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material: 0 }] }],
    materials: [
      {
        pbrMetallicRoughness: {
          baseColorFactor: [...linear(hex), 1],
          metallicFactor: 0,
          roughnessFactor: 0.7,
        },
      },
    ],
    accessors: [
      {
        bufferView: 0,
        componentType: float,
        count,
        type: "VEC3",
        min: extent(Math.min),
        max: extent(Math.max),
      },
      { bufferView: 1, componentType: float, count, type: "VEC3" },
      { bufferView: 2, componentType: unsignedShort, count: parts[2]!.length, type: "SCALAR" },
    ],
    bufferViews,
    buffers: [{ byteLength: byteOffset }],
  };
}

/** A header and two chunks, each padded to four bytes. */
function container(document: object, binary: Buffer): Uint8Array {
  const filled = (bytes: Buffer, filler: number) =>
    Buffer.concat([bytes, Buffer.alloc((4 - (bytes.byteLength % 4)) % 4, filler)]);
  const chunks = [
    { type: "JSON", bytes: filled(Buffer.from(JSON.stringify(document)), 0x20) },
    { type: "BIN\0", bytes: filled(binary, 0) },
  ].map(({ type, bytes }) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.byteLength, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, bytes]);
  });
  const header = Buffer.alloc(12);
  header.write("glTF", 0, "latin1");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + chunks.reduce((sum, { byteLength }) => sum + byteLength, 0), 8);
  return Buffer.concat([header, ...chunks]);
}
