import * as z from "zod";
import { exportedRecords } from "#shared/domain/export/exported-records.ts";

const strict = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.strictObject(shape);
const { content, catalog } = exportedRecords;
const { product } = catalog;

/** The rows that an import accepts: exported records without further members. */
export const importedRows = {
  content: {
    story: strict(content.story),
    page: strict(content.page),
    home: strict(content.home),
    faqs: strict(content.faqs),
    sofa_landing: strict(content.sofa_landing),
    menus: strict(content.menus),
    announcement: strict(content.announcement),
    redirects: strict(content.redirects),
  },
  catalog: {
    category: strict(catalog.category),
    material: strict(catalog.material),
    product: z.strictObject({
      ...product.shape,
      variants: z.array(strict(product.shape.variants.element)),
    }),
    sofa: strict(catalog.sofa),
  },
};
