import {
  changeCategory,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  replaceCategory,
} from "./categories.ts";
import { adjustStock, listInventory } from "./inventory.ts";
import {
  changeMaterial,
  createMaterial,
  deleteMaterial,
  getMaterial,
  listMaterials,
  replaceMaterial,
} from "./materials.ts";
import {
  changeProduct,
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  replaceProduct,
} from "./products.ts";
import { changeSofa, createSofa, deleteSofa, getSofa, listSofas, replaceSofa } from "./sofas.ts";

export const routes = [
  listProducts,
  createProduct,
  getProduct,
  replaceProduct,
  changeProduct,
  deleteProduct,
  listSofas,
  createSofa,
  getSofa,
  replaceSofa,
  changeSofa,
  deleteSofa,
  listMaterials,
  createMaterial,
  getMaterial,
  replaceMaterial,
  changeMaterial,
  deleteMaterial,
  listCategories,
  createCategory,
  getCategory,
  replaceCategory,
  changeCategory,
  deleteCategory,
  listInventory,
  adjustStock,
];
