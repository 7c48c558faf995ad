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
