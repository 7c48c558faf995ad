// biome-ignore lint/suspicious/noExplicitAny: tests take catalogs apart
export type Loose = any

/** A small catalog that uses every part of the format. */
export const makeCatalog = (): Loose => ({
  labs: [
    {
      slug: 'north',
      name: 'North',
      first_line_address: '1 North Road',
      city: 'Fargo',
      state: 'ND',
      zipcode: '58102',
      collection_methods: ['walk_in_test'],
      sample_types: ['serum', 'urine'],
    },
  ],
  loincs: [
    { code: '3016-3', name: 'Thyrotropin [Units/volume] in Serum or Plasma', unit: 'm[IU]/L' },
    { code: '3024-7', name: 'Thyroxine (T4) free [Mass/volume] in Serum or Plasma' },
  ],
  analytes: {
    tsh: { name: 'TSH', loinc: '3016-3' },
    signal: { name: 'Signal' },
  },
  questions: {
    fasting: {
      code: 'FSTING',
      text: 'Fasting?',
      type: 'choice',
      required: true,
      answers: [
        { code: 'Y', text: 'Yes' },
        { code: 'N', text: 'No' },
      ],
    },
  },
  concepts: {
    tsh: {
      name: 'Thyrotropin',
      aliases: ['thyroid'],
      sample_type: 'serum',
      results: ['tsh'],
      reflex_results: ['3024-7'],
      questions: ['fasting'],
    },
  },
  orderables: {
    north: {
      result_codes: { tsh: 'R1' },
      tests: [
        { concept: 'tsh', provider_id: '100', price_cents: 1250, aliases: ['TSH'] },
        {
          name: 'Free T4, reflex',
          provider_id: '101',
          sample_type: 'serum',
          results: ['3024-7'],
          reflex_of: '100',
        },
        { name: 'Signal', sample_type: 'serum', results: ['signal'] },
      ],
    },
  },
  lab_accounts: [
    { lab: 'north', provider_account_id: '1', allowed_billing: { client_bill: ['ND', 'MN'] } },
  ],
  network_physicians: [
    { npi: '1234567893', first_name: 'A', last_name: 'B', licensed_states: ['all'] },
  ],
})
