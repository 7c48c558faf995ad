import { creatinineOf, filtrationRate } from './filtration-rate.ts'
import type { AmountOf, Latent, Relation } from './relation.ts'

export const CHEMISTRY_LATENTS: Record<string, Latent> = {
  latent_direct_bilirubin_percent: { between: [12, 18] },
  latent_creatinine_clearance: { like: 'creatinine_clearance' },
  latent_osmolal_gap: { between: [-2, 6] },
  // mg/dL, and mg in 24 hours, of protein other than albumin.
  latent_other_urine_protein: { between: [4.5, 8] },
  latent_other_urine_protein_24_hours: { between: [30, 60] },
}

const MINUTES_OF_A_DAY = 1440

/** A quantity that is the quotient of two, times a factor. */
export function ratio(top: string, bottom: string, factor = 1): Relation {
  return {
    from: [top, bottom],
    compute: (amountOf) => (factor * amountOf(top)) / amountOf(bottom),
    solve: (target, amountOf) => ({ [top]: (target * amountOf(bottom)) / factor }),
  }
}

/** Friedewald: a fifth of the triglycerides, in whole mg/dL. */
const vldlOf = (amountOf: AmountOf): number => Math.round(amountOf('triglycerides') / 5)
const vldlAndHdl = (amountOf: AmountOf): number => vldlOf(amountOf) + amountOf('hdl_cholesterol')
const LIPIDS = ['ldl_cholesterol', 'hdl_cholesterol', 'triglycerides']

const LIPID_RELATIONS: Record<string, Relation> = {
  vldl_cholesterol: {
    from: ['triglycerides'],
    compute: vldlOf,
    solve: (target) => ({ triglycerides: 5 * target }),
  },
  total_cholesterol: {
    from: LIPIDS,
    compute: (amountOf) => amountOf('ldl_cholesterol') + vldlAndHdl(amountOf),
    solve: (target, amountOf) => ({ ldl_cholesterol: target - vldlAndHdl(amountOf) }),
  },
  non_hdl_cholesterol: {
    from: ['total_cholesterol', 'hdl_cholesterol'],
    compute: (amountOf) => amountOf('total_cholesterol') - amountOf('hdl_cholesterol'),
    solve: (target, amountOf) => ({ ldl_cholesterol: target - vldlOf(amountOf) }),
  },
  cholesterol_hdl_ratio: {
    from: ['total_cholesterol', 'hdl_cholesterol'],
    compute: (amountOf) => amountOf('total_cholesterol') / amountOf('hdl_cholesterol'),
    solve: (target, amountOf) => ({
      ldl_cholesterol: target * amountOf('hdl_cholesterol') - vldlAndHdl(amountOf),
    }),
  },
  ldl_hdl_ratio: ratio('ldl_cholesterol', 'hdl_cholesterol'),
  apolipoprotein_b_a1_ratio: ratio('apolipoprotein_b', 'apolipoprotein_a1'),
  apolipoprotein_a1_b_ratio: ratio('apolipoprotein_a1', 'apolipoprotein_b'),
}

const GLOBULINS = ['alpha_1_globulin', 'alpha_2_globulin', 'beta_globulin'] as const
const GLOBULINS_BUT_GAMMA = (amountOf: AmountOf): number =>
  GLOBULINS.reduce((sum, globulin) => sum + amountOf(globulin), 0)

const PROTEIN_RELATIONS: Record<string, Relation> = {
  total_protein: {
    from: ['albumin', 'globulin'],
    compute: (amountOf) => amountOf('albumin') + amountOf('globulin'),
    solve: (target, amountOf): Record<string, number> =>
      target > amountOf('total_protein')
        ? { globulin: target - amountOf('albumin') }
        : { albumin: Math.max(0.8, target - amountOf('globulin')) },
  },
  albumin_globulin_ratio: {
    from: ['albumin', 'globulin'],
    compute: (amountOf) => amountOf('albumin') / amountOf('globulin'),
    solve: (target, amountOf) => ({ globulin: amountOf('albumin') / target }),
  },
  gamma_globulin: {
    from: ['globulin', ...GLOBULINS],
    compute: (amountOf) => Math.max(0, amountOf('globulin') - GLOBULINS_BUT_GAMMA(amountOf)),
    solve: (target, amountOf) => ({ globulin: target + GLOBULINS_BUT_GAMMA(amountOf) }),
  },
}

const BILIRUBIN_RELATIONS: Record<string, Relation> = {
  direct_bilirubin: {
    from: ['total_bilirubin', 'latent_direct_bilirubin_percent'],
    compute: (amountOf) =>
      (amountOf('total_bilirubin') * amountOf('latent_direct_bilirubin_percent')) / 100,
    solve: (target, amountOf) => {
      const total = target + amountOf('indirect_bilirubin')
      return { total_bilirubin: total, latent_direct_bilirubin_percent: (100 * target) / total }
    },
  },
  indirect_bilirubin: {
    from: ['total_bilirubin', 'direct_bilirubin'],
    compute: (amountOf) => amountOf('total_bilirubin') - amountOf('direct_bilirubin'),
    solve: (target, amountOf) => ({
      total_bilirubin: target / (1 - amountOf('latent_direct_bilirubin_percent') / 100),
    }),
  },
}

const IRON_RELATIONS: Record<string, Relation> = {
  iron_saturation: ratio('iron', 'iron_binding_capacity', 100),
  unsaturated_iron_binding_capacity: {
    from: ['iron_binding_capacity', 'iron'],
    compute: (amountOf) => amountOf('iron_binding_capacity') - amountOf('iron'),
    solve: (target, amountOf) => ({ iron_binding_capacity: target + amountOf('iron') }),
  },
  transferrin: {
    from: ['iron_binding_capacity'],
    compute: (amountOf) => amountOf('iron_binding_capacity') / 1.27,
    solve: (target) => ({ iron_binding_capacity: target * 1.27 }),
  },
}

/**
 * The acid that explains a gap is subtracted from bicarbonate; a small gap is filled with chloride.
 */
function anionGap(cations: readonly string[]): Relation {
  const positive = (amountOf: AmountOf): number =>
    cations.reduce((sum, cation) => sum + amountOf(cation), 0)
  return {
    from: [...cations, 'chloride', 'carbon_dioxide'],
    compute: (amountOf) => positive(amountOf) - amountOf('chloride') - amountOf('carbon_dioxide'),
    solve(target, amountOf): Record<string, number> {
      const bicarbonate = positive(amountOf) - amountOf('chloride') - target
      if (bicarbonate >= 6 && bicarbonate < amountOf('carbon_dioxide')) {
        return { carbon_dioxide: bicarbonate }
      }
      return { chloride: positive(amountOf) - amountOf('carbon_dioxide') - target }
    },
  }
}

/** Share of glucose and urea, mosm/kg. */
const soluteOsmolality = (amountOf: AmountOf): number =>
  amountOf('glucose') / 18 + amountOf('urea_nitrogen') / 2.8
const calculatedOsmolality = (amountOf: AmountOf): number =>
  2 * amountOf('sodium') + soluteOsmolality(amountOf)

/**
 * Total protein of urine: albumin, with `perUnit` of it for one unit of the total, and the rest.
 */
function urineProtein(albumin: string, rest: string, perUnit: number): Relation {
  return {
    from: [albumin, rest],
    compute: (amountOf) => amountOf(albumin) / perUnit + amountOf(rest),
    solve: (target, amountOf): Record<string, number> =>
      target > amountOf(rest)
        ? { [albumin]: (target - amountOf(rest)) * perUnit }
        : { [albumin]: 0, [rest]: target },
  }
}

export const CHEMISTRY_RELATIONS: Record<string, Relation> = {
  ...LIPID_RELATIONS,
  ...PROTEIN_RELATIONS,
  ...BILIRUBIN_RELATIONS,
  ...IRON_RELATIONS,
  glomerular_filtration_rate: {
    from: ['creatinine'],
    compute: (amountOf, person) => filtrationRate(amountOf('creatinine'), person),
    solve: (target, _valueOf, person) => ({ creatinine: creatinineOf(target, person) }),
  },
  urea_creatinine_ratio: ratio('urea_nitrogen', 'creatinine'),
  // U x V / P of Tietz: g in 24 hours over mg/dL of serum, in mL/min.
  urine_creatinine_24_hours: {
    from: ['latent_creatinine_clearance', 'creatinine'],
    compute: (amountOf) =>
      (amountOf('latent_creatinine_clearance') * amountOf('creatinine') * MINUTES_OF_A_DAY) / 1e5,
    solve: (target, amountOf) => ({
      latent_creatinine_clearance: (target * 1e5) / (amountOf('creatinine') * MINUTES_OF_A_DAY),
    }),
  },
  creatinine_clearance: {
    from: ['urine_creatinine_24_hours', 'creatinine'],
    compute: (amountOf) =>
      (amountOf('urine_creatinine_24_hours') * 1e5) / (amountOf('creatinine') * MINUTES_OF_A_DAY),
    solve: (target) => ({ latent_creatinine_clearance: target }),
  },
  // The same substance by two methods.
  c_reactive_protein: {
    from: ['c_reactive_protein_high_sensitivity'],
    compute: (amountOf) => amountOf('c_reactive_protein_high_sensitivity'),
    solve: (target) => ({ c_reactive_protein_high_sensitivity: target }),
  },
  // 1 mg/dL is between 2 and 2.5 nmol/L, depending on the size of the particle.
  lipoprotein_a: {
    from: ['lipoprotein_a_molar'],
    compute: (amountOf) => amountOf('lipoprotein_a_molar') / 2.4,
    solve: (target) => ({ lipoprotein_a_molar: target * 2.4 }),
  },
  anion_gap: anionGap(['sodium']),
  anion_gap_with_potassium: anionGap(['sodium', 'potassium']),
  calculated_osmolality: {
    from: ['sodium', 'glucose', 'urea_nitrogen'],
    compute: calculatedOsmolality,
    solve: (target, amountOf) => ({ sodium: (target - soluteOsmolality(amountOf)) / 2 }),
  },
  osmolality: {
    from: ['sodium', 'glucose', 'urea_nitrogen', 'latent_osmolal_gap'],
    compute: (amountOf) => calculatedOsmolality(amountOf) + amountOf('latent_osmolal_gap'),
    solve: (target, amountOf) => ({
      sodium: (target - amountOf('latent_osmolal_gap') - soluteOsmolality(amountOf)) / 2,
    }),
  },
  // A1c-derived average glucose (Nathan et al. 2008).
  estimated_average_glucose: {
    from: ['hemoglobin_a1c'],
    compute: (amountOf) => 28.7 * amountOf('hemoglobin_a1c') - 46.7,
    solve: (target) => ({ hemoglobin_a1c: (target + 46.7) / 28.7 }),
  },
  urine_protein: urineProtein('urine_albumin', 'latent_other_urine_protein', 10),
  urine_protein_24_hours: urineProtein(
    'urine_albumin_24_hours',
    'latent_other_urine_protein_24_hours',
    1,
  ),
  // mg/L over mg/dL, as mg/g.
  urine_albumin_creatinine_ratio: ratio('urine_albumin', 'urine_creatinine', 100),
  urine_protein_creatinine_ratio: ratio('urine_protein', 'urine_creatinine', 1000),
}
