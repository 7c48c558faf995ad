import type { Tone } from '../components/status-badge.tsx'

const INTERPRETATIONS: Readonly<Record<string, { label: string; tone: Tone }>> = {
  normal: { label: 'Normal', tone: 'good' },
  abnormal: { label: 'Abnormal', tone: 'warning' },
  critical: { label: 'Critical', tone: 'bad' },
  unknown: { label: 'Not judged', tone: 'neutral' },
}

/** What a result came to, in a word. */
export const describeInterpretation = (name: string): { label: string; tone: Tone } =>
  INTERPRETATIONS[name] ?? { label: name, tone: 'neutral' }

const BILLINGS: Readonly<Record<string, { label: string; meaning: string }>> = {
  client_bill: { label: 'Your team pays', meaning: 'The laboratory bills your account.' },
  patient_bill_passthrough: {
    label: 'The patient pays through you',
    meaning: 'You collect from the patient what the laboratory demands.',
  },
  patient_bill: {
    label: 'The patient pays the laboratory',
    meaning: 'At the list price of the laboratory.',
  },
  commercial_insurance: {
    label: 'Insurance',
    meaning: 'Needs an insurance of the person and a diagnosis.',
  },
}

/** Who pays, and what that means. */
export const describeBilling = (name: string): { label: string; meaning: string } =>
  BILLINGS[name] ?? { label: name, meaning: '' }

/** A name of the interface, readable. */
export const readable = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, ' ')
