import { numberRulesOf } from '@salus/contracts/lab-gateway'
import type { Hl7Profile, ResolvedConnection } from './resolved-connection.ts'

/** What a profile says about everything that a file may leave out. */
export type ProfileDefaults = Omit<
  ResolvedConnection,
  'profile' | 'lab' | 'processing_id' | 'time_zone' | 'accounts'
>

const NO_CODES = {
  relationship: { Self: '1', Spouse: '2', Other: '8' },
  bill_type: {
    client_bill: 'C',
    patient_bill: 'P',
    patient_bill_passthrough: 'P',
    commercial_insurance: 'T',
  },
  sex: { male: 'M', female: 'F' },
  // Table 0005 as laboratories use it; table 0189.
  race: {
    african_american_or_black: 'B',
    asian: 'A',
    indigenous_native_american_alaska_native: 'I',
    other: 'O',
    pacific_islander_or_hawaiian: 'A',
    white_caucasian: 'W',
  },
  ethnicity: { hispanic: 'H', non_hispanic: 'N', ashkenazi_jewish: 'U', other: 'U' },
  priority: { true: 'S', false: 'R' },
  // Table 0487.
  specimen: {
    serum: 'SER',
    urine: 'UR',
    saliva: 'SAL',
    stool: 'STL',
    dried_blood_spot: 'BLDC',
    arm_collector: 'BLDC',
  },
  payor: {},
  orderable_system: 'L',
  to_loinc: {},
  units: {},
  flags: {},
  missing_words: [
    ...['TNP', 'DNR', 'QNS', 'CANCELED', 'CANCELLED', 'NOT PERFORMED', 'TEST NOT PERFORMED'],
    ...['NOT DONE', 'DUPLICATE REQUEST', 'SPECIMEN REJECTED'],
  ],
  failure: {},
}

const LEGACY: ProfileDefaults = {
  ack: { mode: 'original', batch: 'each', on_unreadable: 'AE' },
  envelope: {
    sending_app: 'SALUS',
    sending_facility: '{account}',
    receiving_app: 'LAB',
    receiving_facility: '',
    version: '2.3',
    message: 'ORM^O01',
    profile_ids: [],
    charset: 'ASCII',
    segment_end: 'CR',
    ascii_fold: true,
  },
  numbers: {
    ...numberRulesOf({ profile: 'hl7-2.3-legacy' }),
    strip_from_results: [],
    patient: 'PID-3',
  },
  codes: NO_CODES,
  order: {
    order_code_component: 1,
    orc_per: 'test',
    insurance_max: 2,
    phone: 'digits',
    zip: '999999999',
    date_time: 'minutes',
    provider: '2.3',
    diagnoses: 'once',
    aoe_fields: {},
    notes: 'OBR',
    specimens: 'none',
    set: { 'PV1-2': 'O' },
    omit: [],
    cancel: 'message',
    name_max_length: 25,
    upper_case: true,
  },
  result: {
    scope: 'incremental',
    final_when: 'all_ordered',
    match: ['placer', 'filler', 'specimen', 'requisition'],
    document_codes: [],
    range_from_notes: null,
    value_from_notes: ['SEE COMMENTS', 'SEE COMMENT', 'SEE NOTE', 'SEE NOTES', 'SEE BELOW'],
  },
  traits: {
    hasAssigners: false,
    billTypeField: 'PID-18',
    priorityField: 'OBR-5',
    choiceType: 'ST',
  },
}

/**
 * Defaults of the profiles. The legacy ones follow what large laboratories of the United States
 * take: 2.3 with the patient's number in PID-2 and the kind of billing in PID-18; 2.3.1 with the
 * test code in the second group of OBR-4 and the kind of billing in IN1-47.
 */
export const PROFILE_DEFAULTS: Readonly<Record<Hl7Profile, ProfileDefaults>> = {
  'hl7-2.3-legacy': {
    ...LEGACY,
    numbers: { ...LEGACY.numbers, patient: 'PID-2' },
    codes: { ...NO_CODES, relationship: { Self: '1', Spouse: '2', Other: '3' } },
  },
  'hl7-2.3.1-legacy': {
    ...LEGACY,
    envelope: { ...LEGACY.envelope, version: '2.3.1' },
    order: {
      ...LEGACY.order,
      order_code_component: 4,
      phone: '(999)999-9999',
      zip: '99999-9999',
      diagnoses: 'per_test',
    },
    traits: { ...LEGACY.traits, billTypeField: 'IN1-47' },
  },
  'loi-lri-2.5.1': {
    ...LEGACY,
    ack: { ...LEGACY.ack, mode: 'enhanced' },
    envelope: {
      ...LEGACY.envelope,
      version: '2.5.1',
      message: 'OML^O21',
      // LOI_Common, GU (ids with their assigner), PRN (a placer number for the requisition).
      profile_ids: ['2.16.840.1.113883.9.66', '2.16.840.1.113883.9.78', '2.16.840.1.113883.9.81'],
      charset: 'UNICODE UTF-8',
      ascii_fold: false,
    },
    numbers: {
      ...LEGACY.numbers,
      ...numberRulesOf({ profile: 'loi-lri-2.5.1' }),
    },
    codes: {
      ...NO_CODES,
      relationship: { Self: 'SEL', Spouse: 'SPO', Other: 'OTH' },
      // CDC's codes of races; table 0189.
      race: {
        african_american_or_black: '2054-5',
        asian: '2028-9',
        indigenous_native_american_alaska_native: '1002-5',
        other: '2131-1',
        pacific_islander_or_hawaiian: '2076-8',
        white_caucasian: '2106-3',
      },
      // SNOMED CT.
      specimen: {
        serum: '119364003',
        urine: '122575003',
        saliva: '119342007',
        stool: '119339001',
        dried_blood_spot: '119294007',
        arm_collector: '122554006',
      },
    },
    order: {
      ...LEGACY.order,
      phone: 'xtn',
      zip: '99999-9999',
      date_time: 'with_offset',
      provider: '2.5',
      diagnoses: 'per_test',
      specimens: 'SPM',
      name_max_length: 194,
      upper_case: false,
    },
    traits: {
      hasAssigners: true,
      billTypeField: null,
      priorityField: 'TQ1-9',
      choiceType: 'CWE',
    },
  },
}
