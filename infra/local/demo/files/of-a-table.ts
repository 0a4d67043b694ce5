import type { Product } from "#shared/domain/catalog/product.ts";
import { type DemoFile, demoFile } from "../gallery.ts";
import { glb } from "./glb.ts";
import { pdf } from "./pdf.ts";

type Sized = Pick<Product, "name" | "packages">;

/** A 3D model of a table in its real size: a top, a shelf and four legs. */
export function tableModel(
  name: string,
  look: { label: string; hex: string },
  [width, depth, height]: readonly [number, number, number],
  folder: string,
): DemoFile {
  const [board, leg, inset] = [35, 50, 60];
  const [x, z] = [width / 2 - inset, depth / 2 - inset];
  const legs = [-x, x].flatMap((left) =>
    [-z, z].map((front) => ({
      size: [leg, height - board, leg] as const,
      at: [left, 0, front] as const,
    })),
  );
  const alt = `3D model of ${name} in ${look.label.toLowerCase()}`;
  return demoFile(`${folder}/model`, {
    extension: "glb",
    contentType: "model/gltf-binary",
    alt,
    bytes: () =>
      glb(name, look.hex, [
        { size: [width, board, depth], at: [0, height - board, 0] },
        { size: [width - 2 * inset, 20, depth - 2 * inset], at: [0, height * 0.3, 0] },
        ...legs,
      ]),
  });
}

const steps = [
  "1. Open the carton on a blanket and lay the table top on it, face down.",
  "2. Put a leg on each corner plate and turn its two bolts in by hand.",
  "3. Lay the shelf on the pegs of the legs.",
  "4. Tighten all bolts with the key from the bag, first crosswise, then once more in turn.",
  "5. Turn the table upright by its top, never by a leg.",
];

/** The manual that is packed with the table. */
export function tableManual(
  { name, packages }: Sized,
  { minutes, people }: { minutes: number; people: number },
  folder: string,
): DemoFile {
  const parts = packages.map(
    ({ label, width_mm, depth_mm, height_mm, weight_g }) =>
      `${label}: ${width_mm} x ${depth_mm} x ${height_mm} mm, ${weight_g / 1000} kg`,
  );
  const helpers = people === 1 ? "one person" : `${people} people`;
  return demoFile(`${folder}/manual`, {
    extension: "pdf",
    contentType: "application/pdf",
    alt: `Assembly of ${name}`,
    bytes: () =>
      pdf(`Assembly: ${name}`, [
        { text: `About ${minutes} minutes for ${helpers}.`, size: 12, above: 18 },
        ...parts.map((text) => ({ text, size: 12, above: 8 })),
        ...steps.map((text, index) => ({ text, size: 12, above: index === 0 ? 28 : 12 })),
      ]),
  });
}
