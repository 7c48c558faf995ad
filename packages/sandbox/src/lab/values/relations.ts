import { BLOOD_COUNT_LATENTS, BLOOD_COUNT_RELATIONS } from './blood-count-relations.ts'

export { isCellCount } from './blood-count-relations.ts'

import { CHEMISTRY_LATENTS, CHEMISTRY_RELATIONS, ratio } from './chemistry-relations.ts'
import type { Latent, Relation } from './relation.ts'

/** A part of a whole, in percent of it; `factor` is the part's unit in the whole's. */
function fraction(whole: string, percent: string, factor = 1): Relation {
  return {
    from: [whole, percent],
    compute: (amountOf) => (factor * amountOf(whole) * amountOf(percent)) / 100,
    solve: (target, amountOf) => ({ [whole]: (100 * target) / (factor * amountOf(percent)) }),
  }
}

/** Rest of cortisol later in the day, in percent of an earlier time. */
const CORTISOL_LATENTS: Record<string, Latent> = {
  latent_cortisol_evening_percent: { between: [40, 60] },
  latent_saliva_noon_percent: { between: [35, 50] },
  latent_saliva_evening_percent: { between: [50, 70] },
  latent_saliva_night_percent: { between: [35, 55] },
}

/** Quantities that are not printed, by name. */
export const LATENTS: ReadonlyMap<string, Latent> = new Map(
  Object.entries({ ...BLOOD_COUNT_LATENTS, ...CHEMISTRY_LATENTS, ...CORTISOL_LATENTS }),
)

/**
 * Falls from one time of the day to the next; a high late value does not raise the earlier ones.
 */
function laterInTheDay(earlier: string, percent: string): Relation {
  return {
    from: [earlier, percent],
    compute: (amountOf) => (amountOf(earlier) * amountOf(percent)) / 100,
    solve: (target, amountOf) => ({ [percent]: (100 * target) / amountOf(earlier) }),
  }
}

/** Quantities that are calculated from others, by our own name of them. */
export const RELATIONS: ReadonlyMap<string, Relation> = new Map(
  Object.entries({
    ...BLOOD_COUNT_RELATIONS,
    ...CHEMISTRY_RELATIONS,
    free_thyroxine_index: fraction('thyroxine', 'triiodothyronine_uptake'),
    free_testosterone: fraction('testosterone', 'free_testosterone_percent', 10),
    bioavailable_testosterone: fraction('testosterone', 'bioavailable_testosterone_percent'),
    free_prostate_specific_antigen: fraction(
      'prostate_specific_antigen',
      'free_prostate_specific_antigen_percent',
    ),
    insulin_resistance_index: {
      from: ['glucose', 'insulin'],
      compute: (amountOf) => (amountOf('glucose') * amountOf('insulin')) / 405,
      solve: (target, amountOf) => ({ insulin: (target * 405) / amountOf('glucose') }),
    },
    cortisol_evening: laterInTheDay('cortisol', 'latent_cortisol_evening_percent'),
    cortisol_saliva_noon: laterInTheDay('cortisol_saliva', 'latent_saliva_noon_percent'),
    cortisol_saliva_evening: laterInTheDay('cortisol_saliva_noon', 'latent_saliva_evening_percent'),
    cortisol_saliva_night: laterInTheDay('cortisol_saliva_evening', 'latent_saliva_night_percent'),
    total_estrogens: {
      from: ['estrone', 'estradiol'],
      compute: (amountOf) => amountOf('estrone') + amountOf('estradiol'),
      solve: (target, amountOf) => ({ estradiol: target - amountOf('estrone') }),
    } satisfies Relation,
    kappa_lambda_ratio: ratio('kappa_free_light_chains', 'lambda_free_light_chains'),
    vitamin_d3: {
      from: ['vitamin_d_total', 'vitamin_d2'],
      compute: (amountOf) => amountOf('vitamin_d_total') - amountOf('vitamin_d2'),
      solve: (target, amountOf) => ({ vitamin_d_total: target + amountOf('vitamin_d2') }),
    } satisfies Relation,
  }),
)
