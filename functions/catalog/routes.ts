import { listCategories } from "./categories.ts";
import { listMaterials } from "./materials.ts";
import { getProduct, listProducts, listRelatedProducts } from "./products.ts";
import { getSofa, listSofas, priceConfiguration } from "./sofas.ts";

export const routes = [
  listSofas,
  listMaterials,
  getSofa,
  priceConfiguration,
  listProducts,
  getProduct,
  listRelatedProducts,
  listCategories,
];
