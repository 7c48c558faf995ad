import { EXAMPLE_IDS } from '@salus/contracts/examples'

/** What a parameter means wherever it stands, and what one may write. */
export interface ParameterRow {
  /** For where the schema of the route has no description of its own. */
  description: string
  /**
   * The first that fits the schema of the route is shown; without any, one is made of the schema.
   */
  examples?: readonly unknown[]
}

const START = '2026-02-01'
const END = '2026-02-28'
const ORDER_BY = 'What the list is ordered by.'

/** Parameters of paths, queries and headers, by name. */
export const PARAMETERS: Readonly<Record<string, ParameterRow>> = {
  // Ids of the path
  user_id: { description: 'Id of the person.', examples: [EXAMPLE_IDS.user] },
  client_user_id: {
    description: "The team's own id of the person.",
    examples: ['runner-42'],
  },
  team_id: { description: 'Id of the team.', examples: [EXAMPLE_IDS.team] },
  org_id: { description: 'Id of the organization.', examples: [EXAMPLE_IDS.organization] },
  env: { description: 'The environment of the team.', examples: ['sandbox'] },
  region: { description: 'The region of teams.', examples: ['us'] },
  oauth_provider: { description: 'Provider slug.', examples: ['oura'] },
  credential_id: { description: 'Ids of apps.', examples: [[EXAMPLE_IDS.key]] },
  insurance_name: {
    description: 'Words of the name of a payor, or of another name of it.',
    examples: ['Aetna'],
  },
  provider_payor_id: { description: 'Id of the payor at the provider.', examples: ['60054'] },
  error: { description: 'What the provider says went wrong.', examples: ['access_denied'] },
  error_description: { description: 'The same in words, which nobody reads.' },
  page_size: { description: 'How many a page holds.', examples: [10] },
  session_id: { description: 'Id of the session of the console.', examples: [EXAMPLE_IDS.item] },
  key_id: { description: 'Id of the management key.', examples: [EXAMPLE_IDS.key] },
  device_id: { description: 'Id of the device.', examples: [EXAMPLE_IDS.device] },
  job_id: { description: 'Id of the import.', examples: [EXAMPLE_IDS.job] },
  workout_id: { description: 'Id of the workout.', examples: [EXAMPLE_IDS.workout] },
  sleep_id: { description: 'Id of the sleep.', examples: [EXAMPLE_IDS.sleep] },
  view_id: { description: 'Id of the saved view.', examples: [EXAMPLE_IDS.item] },
  query_id: { description: 'Id of the continuous query.', examples: [EXAMPLE_IDS.query] },
  query_id_or_slug: {
    description: 'Id or slug of the continuous query.',
    examples: ['daily-steps'],
  },
  lab_test_id: { description: 'Id of the lab test.', examples: [EXAMPLE_IDS.labTest] },
  lab_id: { description: 'Number of the laboratory.', examples: [1] },
  provider_id: {
    description: "The laboratory's own code of the marker.",
    examples: ['001453'],
  },
  order_id: { description: 'Id of the order.', examples: [EXAMPLE_IDS.order] },
  transaction_id: {
    description: 'Id of the order transaction.',
    examples: [EXAMPLE_IDS.transaction],
  },
  raw_result_id: { description: 'Id of the unmatched result.', examples: [EXAMPLE_IDS.rawResult] },
  id: { description: 'Id of the unmatched result.', examples: [EXAMPLE_IDS.rawResult] },
  message_id: { description: 'Id of the message.', examples: [EXAMPLE_IDS.run] },
  run_id: { description: 'Id of the test.', examples: [EXAMPLE_IDS.run] },
  webhook_id: { description: 'Id of the webhook.', examples: [EXAMPLE_IDS.webhook] },
  event_id: {
    description: 'Id of the event, which its messages carry as `webhook-id`.',
    examples: [EXAMPLE_IDS.event],
  },
  provider: {
    description: 'Slug of a provider.',
    examples: ['apple_health_kit', 'oura'],
  },
  code: { description: 'The link code.', examples: ['skus3f9a07c2'] },
  grant_type: {
    description: '`sign_in_token`, and nothing else.',
    examples: ['sign_in_token'],
  },
  expires_at: {
    description: 'Until when the code is good; an hour unless given.',
    examples: ['2026-03-02T09:00:00Z'],
  },

  // Periods
  start_date: {
    description: 'Beginning: YYYY-MM-DD or an ISO 8601 date-time, in UTC without an offset.',
    examples: [START],
  },
  end_date: {
    description: 'End, itself included: YYYY-MM-DD or an ISO 8601 date-time. Without it: now.',
    examples: [END],
  },
  updated_start_date: { description: 'Changed at this time or later.', examples: [START] },
  updated_end_date: { description: 'Changed at this time or earlier.', examples: [END] },
  created_at_start: { description: 'Arrived on this day or later.', examples: [START] },
  created_at_end: { description: 'Arrived on this day or earlier.', examples: [END] },
  since: { description: 'Happened at this time or later.', examples: [START] },
  until: { description: 'Happened at this time or earlier.', examples: [END] },
  collection_date: {
    description: 'When the sample is drawn, with the offset of the place.',
    examples: ['2026-03-01T09:00:00-07:00'],
  },

  // Pages
  next_cursor: {
    description: '`next_cursor` of the page before; without it, the first page.',
    examples: ['eyJhZnRlciI6MTAwfQ'],
  },
  cursor: { description: 'The same as `next_cursor`.', examples: ['eyJhZnRlciI6MTAwfQ'] },
  limit: { description: 'How many a page holds at most.', examples: [50] },
  user_limit: { description: 'How many people a page holds at most.', examples: [50] },
  lab_test_limit: { description: 'How many lab tests a page holds at most.', examples: [50] },
  offset: { description: 'How many to leave out from the beginning.', examples: [0] },
  page: { description: 'Number of the page, from 1.', examples: [1] },
  size: { description: 'How many a page holds at most.', examples: [50] },
  order_key: { description: ORDER_BY, examples: ['created_at'] },
  order_direction: { description: 'Upwards or downwards.', examples: ['desc', 'asc'] },

  // Health data
  source_type: { description: 'Only providers of this kind.', examples: ['device'] },
  resource: { description: 'Only items of this resource.', examples: ['glucose'] },
  reason: { description: 'Only items put aside for this reason.', examples: ['unknown_unit'] },
  data_type: { description: 'Only this type of data.', examples: ['sleep'] },
  slot: { description: 'Length of a slot.', examples: ['hour'] },
  explain: { description: 'List what each slot was made of.', examples: [false] },
  query_type: { description: 'Whose query it is.', examples: ['team'] },

  // Laboratories
  zip_code: { description: 'A ZIP code of the United States.', examples: ['85004'] },
  labs: { description: 'Only these laboratories.', examples: ['quest'] },
  lab_account_id: { description: 'Only of this lab account.', examples: [EXAMPLE_IDS.labAccount] },
  status: {
    description: 'Only what is in this state.',
    examples: ['active', 'completed', 'pending_customer_review', 'delivered', 'succeeded'],
  },
  generation_method: {
    description: 'Lab tests that the team made, those made for orders, or both.',
    examples: ['manual'],
  },
  lab_slug: { description: 'Slug of the laboratory.', examples: ['labcorp'] },
  collection_method: {
    description: 'How the sample is taken.',
    examples: ['walk_in_test'],
  },
  marker_ids: { description: 'Ids of markers.', examples: [27] },
  provider_ids: { description: "The laboratory's own codes of markers.", examples: ['001453'] },
  name: { description: 'A part of the name, in either case.', examples: ['glucose'] },
  include_pricing: { description: 'Tell prices, where they are known.', examples: [true] },
  a_la_carte_enabled: {
    description: 'Only markers that can be ordered by themselves, or only the others.',
    examples: [true],
  },
  search_input: { description: 'An id, a name, or a birth date.', examples: ['1990-04-12'] },
  order_type: { description: 'Only orders collected so.', examples: ['walk_in_test'] },
  is_critical: {
    description: 'Only orders with a critical result, or only the others.',
    examples: [true],
  },
  interpretation: {
    description: 'Only orders whose results are this, taken as a whole.',
    examples: ['abnormal'],
  },
  order_activation_types: {
    description: 'Orders handed over at once, or on a later day.',
    examples: ['current'],
  },
  patient_name: { description: 'A part of the name of the patient.', examples: ['Moreau'] },
  shipping_recipient_name: {
    description: 'A part of the name of who gets the kit.',
    examples: ['Front desk'],
  },
  order_ids: { description: 'Only these orders.', examples: [EXAMPLE_IDS.order] },
  order_transaction_id: {
    description: 'Only orders of this transaction.',
    examples: [EXAMPLE_IDS.transaction],
  },
  number_of_labels: { description: 'How many labels to print.', examples: [3] },
  decision_code: {
    description: 'Only results held for this reason.',
    examples: ['multiple_demo_match'],
  },
  final_status: {
    description: 'The status to take the order to; without it, as far as it goes by itself.',
    examples: ['completed.walk_in_test.completed'],
  },
  delay: { description: 'Seconds between steps.', examples: [0] },
  'x-idempotency-key': {
    description:
      'Any text that names this request. A repeat with the same key gets the answer of the first.',
    examples: ['0b9f2c1e-order'],
  },
  'x-idempotency-error': {
    description: '`no-cache` keeps no refusal, so that the same key can be tried again.',
    examples: ['no-cache'],
  },

  // Person's rights
  export_id: { description: 'Id of the export.', examples: [EXAMPLE_IDS.item] },
  link_secret: { description: 'What the link ends with.', examples: ['0'.repeat(43)] },
  erasure_id: { description: 'Id of the erasure.', examples: [EXAMPLE_IDS.item] },
  hold_id: { description: 'Id of the legal hold.', examples: [EXAMPLE_IDS.item] },
  is_active: { description: 'Only those that hold now, or only those that were released.' },

  // Operation
  search_query: { description: 'A part of the name, or an id.', examples: ['Clinic'] },
  include_environment: {
    description: 'Environments whose settings the answer holds; without it, both.',
    examples: ['sandbox'],
  },
  api_key_id: { description: 'Ids of the keys.', examples: [EXAMPLE_IDS.key] },
  role: { description: 'Only keys with this role.', examples: ['team_admin'] },
  dry_run: { description: 'Tell what would change, and change nothing.', examples: [true] },
  event_type: {
    description: 'A type of event, or its beginning followed by *.',
    examples: ['daily.data.glucose.created'],
  },
  after: {
    description: 'Id of the last event that was read; without it, from now on.',
    examples: ['748-12'],
  },
  follow: { description: 'Wait for further events.', examples: [false] },
}
