import { IDS } from './ids.registry.ts'

const SAMPLE = {
  value: 420,
  unit: 'count',
  start_date: '2026-02-10T08:00:00Z',
  end_date: '2026-02-10T08:05:00Z',
  type: 'watch',
  source_bundle: 'com.example.health',
  product_type: 'Watch7,5',
}
const SESSION = {
  id: 'run-1',
  start_date: '2026-02-10T08:00:00Z',
  end_date: '2026-02-10T08:30:00Z',
  source_bundle: 'com.example.health',
  product_type: 'Watch7,5',
  source_type: 'watch',
}
const ENVELOPE = { stage: 'daily', provider: 'manual', time_zone: 'Europe/Vienna' }
const stage = (from: string, to: string) => ({
  ...SAMPLE,
  value: 1,
  unit: 'stage',
  start_date: `2026-02-10T${from}:00Z`,
  end_date: `2026-02-10T${to}:00Z`,
})

const PATIENT_DETAILS = {
  first_name: 'Ada',
  last_name: 'Moreau',
  dob: '1990-04-12',
  gender: 'female',
  phone_number: '+15555550100',
  email: 'ada.moreau@example.com',
}
const ADDRESS = {
  first_line: '1 Main St',
  second_line: 'Apt 4',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}
const { zip: ZIP_CODE, ...PLACE } = ADDRESS
const INSURED_ADDRESS = { ...PLACE, zip_code: ZIP_CODE }
const PATIENT_ADDRESS = { receiver_name: 'Ada Moreau', ...ADDRESS, phone_number: '+15555550100' }
const SHIPPING_DETAILS = { receiver_name: 'Front desk', ...ADDRESS, phone_number: '+15555550101' }
const CONSENTS = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent'].map(
  (consentType) => ({ consentType }),
)
const ORDER = {
  user_id: IDS.user,
  order_set: { lab_test_ids: [IDS.labTest] },
  collection_method: 'walk_in_test',
  patient_details: PATIENT_DETAILS,
  patient_address: PATIENT_ADDRESS,
}

const VISIT_ADDRESS = {
  first_line: '1 Main St',
  second_line: 'Apt 4',
  city: 'Phoenix',
  state: 'AZ',
  zip_code: '85004',
}
const BOOKING_KEY = 'AQBppwngaacl_GmnB3I4NTAwNDlu5J5dyAc4pRWpdA'

/** Steps of each day. */
const DAILY_STEPS = {
  select: [{ group_key: '*' }, { func: 'sum', arg: { timeseries: 'steps', field: 'value' } }],
  group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
}
const CONTINUOUS_QUERY = { slug: 'daily-steps', title: 'Daily steps', query: DAILY_STEPS }

/**
 * Request bodies by operation, where the required fields of the schema would not be a sensible
 * request. A test sends each of them, so the server accepts them.
 */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  findUsers: { query: 'moreau', connection_status: 'connected', limit: 50 },
  signInToConsole: { management_key: 'mg_4Qq9vT2mXc7LwZ1bR8sKd3NfHj6YpUa5' },
  createUser: { client_user_id: 'runner-42', fallback_time_zone: 'Europe/Vienna' },
  updateUser: { fallback_time_zone: 'America/Phoenix', ingestion_end: null },
  updateUserInfo: { ...PATIENT_DETAILS, address: ADDRESS },
  createManualConnection: { user_id: IDS.user },

  uploadActivities: {
    ...ENVELOPE,
    data: [
      {
        day_summary: {
          calendar_date: '2026-02-10',
          steps_sum: 9876,
          active_energy_burned_sum: 420,
          basal_energy_burned_sum: 1600,
        },
        steps: [SAMPLE],
      },
    ],
  },
  uploadBodyMeasurements: {
    ...ENVELOPE,
    data: { body_mass: [{ ...SAMPLE, value: 71.5, unit: 'kg' }] },
  },
  uploadSleeps: {
    ...ENVELOPE,
    data: [
      {
        ...SESSION,
        id: 'night-1',
        start_date: '2026-02-10T00:00:00Z',
        end_date: '2026-02-10T07:00:00Z',
        sleep_stages: {
          awake_sleep_samples: [stage('00:00', '00:30')],
          light_sleep_samples: [stage('00:30', '04:00')],
          deep_sleep_samples: [stage('04:00', '05:00')],
          rem_sleep_samples: [stage('05:00', '07:00')],
        },
      },
    ],
  },
  uploadWorkouts: {
    ...ENVELOPE,
    data: [
      {
        ...SESSION,
        sport: 'Running',
        moving_time: 1700,
        calories: 300,
        distance: 5000,
        heart_rate: [{ ...SAMPLE, value: 140, unit: 'bpm' }],
      },
    ],
  },
  uploadMeals: {
    ...ENVELOPE,
    data: [
      {
        health_connect: {
          nutrition_records: [
            {
              start_time: '2026-02-10T12:00:00Z',
              end_time: '2026-02-10T12:30:00Z',
              start_zone_offset: '+01:00',
              end_zone_offset: '+01:00',
              name: 'Oatmeal',
              energy: 380,
              protein: 13,
              total_carbohydrate: 66,
              total_fat: 7,
            },
          ],
        },
      },
    ],
  },
  uploadMenstrualCycles: {
    ...ENVELOPE,
    data: [
      {
        cycle: {
          period_start: '2026-02-01',
          period_end: '2026-02-05',
          menstrual_flow: [{ date: '2026-02-01', flow: 'medium' }],
        },
      },
    ],
  },

  updateTeamSourcePriorities: [{ data_type: 'sleep', slug: 'oura', priority: 2 }],
  replaceUserSourcePriorities: { source_priorities: [] },

  queryUserData: {
    timeframe: { type: 'relative', anchor: '2026-02-20', past: { unit: 'week' } },
    queries: [DAILY_STEPS],
  },
  createContinuousQuery: CONTINUOUS_QUERY,
  validateContinuousQuery: CONTINUOUS_QUERY,
  updateContinuousQuery: { title: 'Steps of each day' },

  createLabTest: {
    name: 'Glucose and A1c',
    description: 'Glucose, hemoglobin A1c',
    method: 'walk_in_test',
    marker_ids: [27],
  },
  updateLabTest: { name: 'Glucose' },
  listOrderSetMarkers: { lab_test_ids: [IDS.labTest] },
  searchCompendium: { mode: 'canonical', query: 'glucose' },
  convertCompendium: { lab_test_id: IDS.labTest, target_lab: 'labcorp' },
  searchOrderableTests: { provider_ids: ['001453'], target_lab: 'bioreference' },

  getPhlebotomyAppointmentAvailability: VISIT_ADDRESS,
  bookPhlebotomyAppointment: { booking_key: BOOKING_KEY, appointment_notes: 'Blue door' },
  requestPhlebotomyAppointment: {
    address: VISIT_ADDRESS,
    provider: 'phlebfinders',
    appointment_notes: 'After five',
  },
  reschedulePhlebotomyAppointment: { booking_key: BOOKING_KEY },
  cancelPhlebotomyAppointment: {
    cancellation_reason_id: '9b1f6a40-3c57-4e0a-8d21-000000000107',
    notes: 'At work that day',
  },
  bookPscAppointment: { booking_key: BOOKING_KEY, async_confirmation: true },
  reschedulePscAppointment: { booking_key: BOOKING_KEY, appointment_notes: null },
  cancelPscAppointment: {
    cancellationReasonId: '9b1f6a40-3c57-4e0a-8d21-000000000201',
    note: 'At work that day',
  },

  createInsurance: {
    payor_code: 'SAMPLE-10007',
    member_id: 'W123456789',
    group_id: '0045-001',
    relationship: 'Self',
    insured: { ...PATIENT_DETAILS, address: INSURED_ADDRESS },
  },
  searchPayorsByBody: { insurance_name: 'Aetna' },
  createPayor: { name: 'Desert Mutual', address: INSURED_ADDRESS },
  createOrder: ORDER,
  validateOrder: ORDER,
  createOrReplaceOrder: ORDER,
  importOrder: {
    ...ORDER,
    billing_type: 'client_bill',
    sample_id: 'SPEC-0042',
  },
  createTestkitOrder: {
    user_id: IDS.user,
    lab_test_id: IDS.labTest,
    shipping_details: SHIPPING_DETAILS,
  },
  registerTestkit: {
    sample_id: 'KIT-000042',
    patient_details: PATIENT_DETAILS,
    patient_address: PATIENT_ADDRESS,
    consents: CONSENTS,
  },
  rescheduleOrder: { activate_by: '2026-06-01' },
  resendOrderEvents: { order_ids: [IDS.order] },
  updateOrderCommunicationSettings: { sms_enabled: false },
  acceptUnmatchedResult: { user_id: IDS.user, order_id: IDS.order },
  resolveUnmatchedResult: { action: 'reject', note: 'Not a patient of ours.' },
  createUnmatchedResultTest: { case: 'no_match', order_source: 'provided' },
  simulateOrder: { interpretation: 'abnormal' },
  advanceSandboxClock: { seconds: 86400 },

  updateOrganization: { name: 'Example Clinics' },
  createTeam: { name: 'Example Clinic', region: 'us' },
  resolveTeam: { integration_team_id: 'clinic-7' },
  updateTeam: { name: 'Example Clinic', sandbox: { minor_ordering_enabled: true } },
  createTeamApiKey: { label: 'Server', team_id: IDS.team },
  createTeamAccessToken: { env: 'sandbox' },
  createTeamAccessTokenAlias: { env: 'sandbox' },
  createManagementKey: { label: 'Onboarding', role: 'org_admin' },
  updateManagementKey: { label: 'Onboarding' },
  updateTeamPipelines: { team_ids: [IDS.team], push_historical_data: true },
  checkLinkToken: { token: IDS.linkToken },
  callMcp: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  startLink: { link_token: IDS.linkToken, provider: 'oura' },
  updateDataPullPreferences: {
    team_ids: [IDS.team],
    providers: { oura: { default: { historical_days_to_pull: 30 } } },
  },
  loadServiceCenters: {
    csv: 'lab,site_code,name,first_line,city,state,zip_code\nquest,PHX1,Downtown,1 Main St,Phoenix,AZ,85004\n',
  },
  loadPayors: {
    csv: 'payor_code,name,first_line,city,state,zip\n10,Desert Mutual,1 Main St,Phoenix,AZ,85004',
  },
  loadDiagnosisCodes: {
    order_file: [
      '00001 E11     0 Type 2 diabetes mellitus                                     Type 2 diabetes mellitus',
      '00002 E119    1 Type 2 diabetes mellitus without complications               Type 2 diabetes mellitus without complications',
      '00003 I10     1 Essential (primary) hypertension                             Essential (primary) hypertension',
    ].join('\r\n'),
  },
  loadCatalog: {
    labs: [
      {
        slug: 'example_lab',
        name: 'Example Lab',
        first_line_address: '1 Main St',
        city: 'Phoenix',
        state: 'AZ',
        zipcode: '85004',
        collection_methods: ['walk_in_test'],
        sample_types: ['serum'],
      },
    ],
  },
  exportPerson: { format: 'fhir' },
  createExportLink: { expires_in_seconds: 3600 },
  placeLegalHold: { user_id: IDS.user, reason: 'Case 2026-17' },
  replaceRetentionRules: { rules: [{ resource: 'heartrate', days: 365 }] },
  tryRetentionRules: { rules: [{ resource: 'heartrate', days: 365 }] },
  createWebhook: { url: 'https://hooks.example.com/salus', description: 'Our server' },
  updateWebhook: { description: 'Our other server' },
  replaceWebhookHeaders: { headers: { 'x-kind': 'health' } },
  rotateWebhookSecret: { key: null },
  recoverWebhook: { since: '2026-02-01T00:00:00Z' },
  sendWebhookExample: { event_type: 'daily.data.steps.created' },
  retryJobs: { kind: 'recover_webhook' },
}
