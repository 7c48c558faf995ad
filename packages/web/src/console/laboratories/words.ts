import type { Tone } from '../components/status-badge.tsx'

const INTERPRETATIONS: Readonly<Record<string, { label: string; tone: Tone }>> = {
  normal: { label: 'Normal', tone: 'good' },
  abnormal: { label: 'Abnormal', tone: 'warning' },
  critical: { label: 'Critical', tone: 'bad' },
  unknown: { label: 'Not interpreted', tone: 'neutral' },
}

/** Returns the label and the tone of an interpretation. */
export const describeInterpretation = (name: string): { label: string; tone: Tone } =>
  INTERPRETATIONS[name] ?? { label: name, tone: 'neutral' }

const BILLINGS: Readonly<Record<string, { label: string; meaning: string }>> = {
  client_bill: { label: 'Your team pays', meaning: 'The laboratory bills your account.' },
  patient_bill_passthrough: {
    label: 'The patient pays your team',
    meaning: 'You collect the amount from the patient.',
  },
  patient_bill: {
    label: 'The patient pays the laboratory',
    meaning: 'The laboratory charges its list price.',
  },
  commercial_insurance: {
    label: 'Insurance',
    meaning: 'Requires an insurance of the person and a diagnosis.',
  },
}

/** Returns the label and the meaning of a billing type. */
export const describeBilling = (name: string): { label: string; meaning: string } =>
  BILLINGS[name] ?? { label: name, meaning: '' }

/** Turns a name of the API into words. */
export const humanizeName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, ' ')
