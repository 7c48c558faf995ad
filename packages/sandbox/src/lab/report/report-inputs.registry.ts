/**
 * Inputs that a laboratory needs to report an analyte, by our own names of them: the inputs of
 * calculations and, for kinds of white cells, which one machine counts, the count together with the
 * percentage. Formulas as in Tietz, Fundamentals of Clinical Chemistry.
 */
const CELLS = [
  'neutrophils',
  'lymphocytes',
  'monocytes',
  'eosinophils',
  'basophils',
  'immature_granulocytes',
  'band_neutrophils',
]

const CELL_INPUTS = Object.fromEntries(
  CELLS.flatMap((cell) => [
    [cell, ['white_cells', `${cell}_percent`]],
    [`${cell}_percent`, [cell]],
  ]),
)

export const REPORT_INPUTS: Readonly<Record<string, readonly string[]>> = {
  ...CELL_INPUTS,
  mean_cell_volume: ['hematocrit', 'red_cells'],
  mean_cell_hemoglobin: ['hemoglobin', 'red_cells'],
  mean_cell_hemoglobin_concentration: ['hemoglobin', 'hematocrit'],
  reticulocytes: ['reticulocytes_percent', 'red_cells'],
  nucleated_red_cells: ['nucleated_red_cells_percent', 'white_cells'],
  international_normalized_ratio: ['prothrombin_time'],
  glomerular_filtration_rate: ['creatinine'],
  urea_creatinine_ratio: ['urea_nitrogen', 'creatinine'],
  anion_gap: ['sodium', 'chloride', 'carbon_dioxide'],
  anion_gap_with_potassium: ['sodium', 'potassium', 'chloride', 'carbon_dioxide'],
  calculated_osmolality: ['sodium', 'glucose', 'urea_nitrogen'],
  globulin: ['total_protein', 'albumin'],
  albumin_globulin_ratio: ['albumin', 'globulin'],
  indirect_bilirubin: ['total_bilirubin', 'direct_bilirubin'],
  ldl_cholesterol: ['total_cholesterol', 'hdl_cholesterol', 'triglycerides'],
  vldl_cholesterol: ['triglycerides'],
  non_hdl_cholesterol: ['total_cholesterol', 'hdl_cholesterol'],
  cholesterol_hdl_ratio: ['total_cholesterol', 'hdl_cholesterol'],
  ldl_hdl_ratio: ['ldl_cholesterol', 'hdl_cholesterol'],
  apolipoprotein_b_a1_ratio: ['apolipoprotein_b', 'apolipoprotein_a1'],
  apolipoprotein_a1_b_ratio: ['apolipoprotein_a1', 'apolipoprotein_b'],
  iron_saturation: ['iron', 'iron_binding_capacity'],
  unsaturated_iron_binding_capacity: ['iron', 'iron_binding_capacity'],
  estimated_average_glucose: ['hemoglobin_a1c'],
  insulin_resistance_index: ['glucose', 'insulin'],
  free_thyroxine_index: ['thyroxine', 'triiodothyronine_uptake'],
  free_testosterone: ['testosterone'],
  bioavailable_testosterone: ['testosterone'],
  free_prostate_specific_antigen_percent: [
    'prostate_specific_antigen',
    'free_prostate_specific_antigen',
  ],
  kappa_lambda_ratio: ['kappa_free_light_chains', 'lambda_free_light_chains'],
  vitamin_d_total: ['vitamin_d2', 'vitamin_d3'],
  creatinine_clearance: ['creatinine', 'urine_creatinine_24_hours', 'urine_volume_24_hours'],
  urine_albumin_creatinine_ratio: ['urine_albumin', 'urine_creatinine'],
  urine_protein_creatinine_ratio: ['urine_protein', 'urine_creatinine'],
}
