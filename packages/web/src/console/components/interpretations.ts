import type { components } from '../api/openapi.generated.d.ts'
import type { Tone } from './status-badge.tsx'

type Interpretation = components['schemas']['BiomarkerResult']['interpretation']

interface InterpretationRow {
  /** Label of a single result. */
  label: string
  /** Label of all results of an order together. */
  summary: string
  tone: Tone
}

/** Every interpretation of a laboratory result, from good to bad. */
export const INTERPRETATIONS: Readonly<Record<Interpretation, InterpretationRow>> = {
  normal: { label: 'Normal', summary: 'All values normal', tone: 'good' },
  abnormal: {
    label: 'Abnormal',
    summary: 'Some values outside their interval',
    tone: 'warning',
  },
  critical: { label: 'Critical', summary: 'Critical values', tone: 'bad' },
  unknown: { label: 'Not interpreted', summary: 'Values not interpreted', tone: 'neutral' },
}

/** The interpretations as choices of a selection field. */
export const INTERPRETATION_CHOICES: readonly { value: Interpretation; label: string }[] = (
  Object.keys(INTERPRETATIONS) as Interpretation[]
).map((value) => ({ value, label: INTERPRETATIONS[value].label }))
