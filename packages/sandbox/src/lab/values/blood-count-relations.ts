import { roundTo } from '../analytes/reference-interval.ts'
import type { AmountOf, Latent, Relation } from './relation.ts'

/** Kinds of white cells, except lymphocytes, which are the rest. */
const CELLS = [
  'neutrophils',
  'monocytes',
  'eosinophils',
  'basophils',
  'immature_granulocytes',
  'band_neutrophils',
  'metamyelocytes',
  'myelocytes',
  'blasts',
] as const
type Cell = (typeof CELLS)[number] | 'lymphocytes'

/** Cells that few laboratories report; they count only where they are reported. */
const RARE = new Set<string>([
  'immature_granulocytes',
  'band_neutrophils',
  'metamyelocytes',
  'myelocytes',
  'blasts',
])
/** Only their percentage is reported. */
const SHARE_ONLY = new Set<string>(['metamyelocytes', 'myelocytes', 'blasts'])

/** Returns the names under which a kind of cell is reported. */
const countsOf = (cell: string): string[] =>
  SHARE_ONLY.has(cell) ? [`${cell}_percent`] : [cell, `${cell}_percent`]

export const BLOOD_COUNT_LATENTS: Record<string, Latent> = {
  latent_cell_volume: { like: 'mean_cell_volume' },
  latent_cell_concentration: { like: 'mean_cell_hemoglobin_concentration' },
  ...Object.fromEntries(
    CELLS.map((cell): [string, Latent] => [
      `latent_${cell}`,
      {
        like: `${cell}_percent`,
        ...(RARE.has(cell) ? { onlyFor: countsOf(cell) } : {}),
      },
    ]),
  ),
}

const LATENT_CELLS = CELLS.map((cell) => `latent_${cell}`)

/** Returns percentages as printed: they sum to 100. */
function percentOf(cell: Cell, amountOf: AmountOf): number {
  if (cell !== 'lymphocytes') return roundTo(amountOf(`latent_${cell}`), 1)
  return LATENT_CELLS.reduce((rest, latent) => rest - roundTo(amountOf(latent), 1), 100)
}

/** Returns the percentages when one of them is given: the others keep their proportions. */
function withPercent(cell: Cell, percent: number, amountOf: AmountOf): Record<string, number> {
  const share = Math.min(99, Math.max(0, percent))
  const scale = (100 - share) / (100 - percentOf(cell, amountOf))
  const scaled = LATENT_CELLS.map((latent) => [latent, amountOf(latent) * scale] as const)
  return {
    ...Object.fromEntries(scaled),
    ...(cell === 'lymphocytes' ? {} : { [`latent_${cell}`]: share }),
  }
}

function percentRelation(cell: Cell): Relation {
  return {
    from: LATENT_CELLS,
    compute: (amountOf) => percentOf(cell, amountOf),
    solve: (target, amountOf) => withPercent(cell, target, amountOf),
  }
}

/** Cells in 10*3/uL: their share of all white cells. */
function countRelation(cell: Cell): Relation {
  return {
    from: ['white_cells', ...LATENT_CELLS],
    compute: (amountOf) => (amountOf('white_cells') * percentOf(cell, amountOf)) / 100,
    solve(target, amountOf) {
      const others = amountOf('white_cells') * (1 - percentOf(cell, amountOf) / 100)
      const percent = (100 * target) / (others + target)
      return { white_cells: others + target, ...withPercent(cell, percent, amountOf) }
    },
  }
}

const RED_CELLS: Record<string, Relation> = {
  hematocrit: {
    from: ['hemoglobin', 'latent_cell_concentration'],
    compute: (amountOf) => (amountOf('hemoglobin') / amountOf('latent_cell_concentration')) * 100,
    solve: (target, amountOf) => ({
      hemoglobin: (target * amountOf('latent_cell_concentration')) / 100,
    }),
  },
  red_cells: {
    from: ['hematocrit', 'latent_cell_volume'],
    compute: (amountOf) => (amountOf('hematocrit') / amountOf('latent_cell_volume')) * 10,
    solve: (target, amountOf) => ({
      hemoglobin:
        (target * amountOf('latent_cell_volume') * amountOf('latent_cell_concentration')) / 1000,
    }),
  },
  mean_cell_volume: {
    from: ['hematocrit', 'red_cells'],
    compute: (amountOf) => (amountOf('hematocrit') / amountOf('red_cells')) * 10,
    solve: (target) => ({ latent_cell_volume: target }),
  },
  mean_cell_hemoglobin: {
    from: ['hemoglobin', 'red_cells'],
    compute: (amountOf) => (amountOf('hemoglobin') / amountOf('red_cells')) * 10,
    solve: (target, amountOf) => ({
      latent_cell_volume: (target / amountOf('latent_cell_concentration')) * 100,
    }),
  },
  mean_cell_hemoglobin_concentration: {
    from: ['hemoglobin', 'hematocrit'],
    compute: (amountOf) => (amountOf('hemoglobin') / amountOf('hematocrit')) * 100,
    solve: (target) => ({ latent_cell_concentration: target }),
  },
}

export const BLOOD_COUNT_RELATIONS: Record<string, Relation> = {
  ...RED_CELLS,
  ...Object.fromEntries(
    [...CELLS, 'lymphocytes' as const].flatMap((cell) => [
      [`${cell}_percent`, percentRelation(cell)] as const,
      ...(SHARE_ONLY.has(cell) ? [] : [[cell, countRelation(cell)] as const]),
    ]),
  ),
  // Percent of the red cells, in 10*3/uL.
  reticulocytes: {
    from: ['reticulocytes_percent', 'red_cells'],
    compute: (amountOf) => amountOf('reticulocytes_percent') * amountOf('red_cells') * 10,
    solve: (target, amountOf) => ({
      reticulocytes_percent: target / (amountOf('red_cells') * 10),
    }),
  },
  // Per 100 white cells.
  nucleated_red_cells: {
    from: ['nucleated_red_cells_percent', 'white_cells'],
    compute: (amountOf) =>
      (amountOf('nucleated_red_cells_percent') * amountOf('white_cells')) / 100,
    solve: (target, amountOf) => ({
      nucleated_red_cells_percent: (100 * target) / amountOf('white_cells'),
    }),
  },
  prothrombin_time: {
    from: ['international_normalized_ratio'],
    compute: (amountOf) => amountOf('international_normalized_ratio') * 10.2,
    solve: (target) => ({ international_normalized_ratio: target / 10.2 }),
  },
  cd4_cd8_ratio: {
    from: ['cd4_cells', 'cd8_cells'],
    compute: (amountOf) => amountOf('cd4_cells') / amountOf('cd8_cells'),
    solve: (target, amountOf) => ({ cd4_cells: target * amountOf('cd8_cells') }),
  },
}

const COUNTED = new Set(['lymphocytes', ...CELLS].flatMap(countsOf))

/** True for the count of a kind of white cells and for its percentage. */
export const isCellCount = (analyte: string): boolean => COUNTED.has(analyte)
