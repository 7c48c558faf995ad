import type { VendorPages } from '../vendor-pages.registry.ts'

/** A day of a diary in the form of the vendor's service, constructed with invented values. */

export const DIARY_ENTRY = {
  id: '11001',
  type: 'food_entry',
  date: '2026-02-03',
  meal_name: 'Breakfast',
  meal_position: 0,
  servings: 0.5,
  serving_size: { value: 1, unit: 'jar', nutrition_multiplier: 1 },
  nutritional_contents: {
    energy: { unit: 'calories', value: 210 },
    fat: 4.5,
    saturated_fat: 1.25,
    carbohydrates: 32,
    fiber: 4,
    sugar: 9.5,
    protein: 8,
    cholesterol: 15,
    sodium: 420,
    potassium: null,
    calcium: 12,
  },
  food: {
    id: '501',
    version: '1',
    description: 'Oat porridge',
    brand_name: 'Field Mill',
    nutritional_contents: { energy: { unit: 'calories', value: 420 } },
  },
}

export const DIARY_DAY = {
  date: '2026-02-03',
  food_entries: [
    DIARY_ENTRY,
    {
      ...DIARY_ENTRY,
      id: '11002',
      nutritional_contents: {
        energy: { unit: 'kilojoules', value: 418.4 },
        carbohydrates: 25,
        potassium: 300,
      },
      food: { id: '502', description: 'Banana', brand_name: null },
    },
    { ...DIARY_ENTRY, id: '11003', meal_name: 'Second breakfast' },
  ],
  exercise_entries: [],
}

export const MY_FITNESS_PAL_PAGES: Readonly<Record<string, VendorPages>> = {
  diary: { records: [DIARY_DAY], page: (records) => records },
}
