import { EXAMPLE_IDS } from '@salus/contracts/examples'

/** Meaning of a parameter wherever it is used, and values for it. */
export interface ParameterRow {
  /** Used where the schema of the route has no description of its own. */
  description: string
  /**
   * The first that matches the schema of the route is shown; without any, one is made from the
   * schema.
   */
  examples?: readonly unknown[]
}

const START = '2026-02-01'
const END = '2026-02-28'
const ORDER_BY = 'Field by which the list is sorted.'

/** Parameters of paths, queries and headers, by name. */
export const PARAMETERS: Readonly<Record<string, ParameterRow>> = {
  // Ids of the path
  version_id: { description: 'Number of the version.', examples: ['1'] },
  user_id: { description: 'Id of the user.', examples: [EXAMPLE_IDS.user] },
  client_user_id: {
    description: 'Id that the team gave the user.',
    examples: ['runner-42'],
  },
  team_id: { description: 'Id of the team.', examples: [EXAMPLE_IDS.team] },
  org_id: { description: 'Id of the organization.', examples: [EXAMPLE_IDS.organization] },
  env: { description: 'Environment of the team.', examples: ['sandbox'] },
  region: { description: 'Region of the team.', examples: ['us'] },
  oauth_provider: { description: 'Slug of the provider.', examples: ['oura'] },
  credential_id: { description: 'Ids of apps.', examples: [[EXAMPLE_IDS.key]] },
  insurance_name: {
    description: 'Words of the name of the payor or of one of its other names.',
    examples: ['Aetna'],
  },
  provider_payor_id: { description: 'Id of the payor at the provider.', examples: ['60054'] },
  error: { description: 'Error code that the provider returned.', examples: ['access_denied'] },
  error_description: { description: 'Explanation of the provider, which Salus ignores.' },
  page_size: { description: 'Number of items on a page.', examples: [10] },
  portal_session_id: {
    description: 'Id of the link or session of the portal.',
    examples: [EXAMPLE_IDS.item],
  },
  share_id: { description: 'Id of the share.', examples: [EXAMPLE_IDS.item] },
  session_id: { description: 'Id of the session of the console.', examples: [EXAMPLE_IDS.item] },
  organization_user_id: {
    description: 'Id of the user of the organization.',
    examples: [EXAMPLE_IDS.user],
  },
  passkey_id: { description: 'Id of the passkey.', examples: [EXAMPLE_IDS.item] },
  email: { description: 'E-mail address.', examples: ['ada@example.com'] },
  key_id: { description: 'Id of the management key.', examples: [EXAMPLE_IDS.key] },
  device_id: { description: 'Id of the device.', examples: [EXAMPLE_IDS.device] },
  job_id: { description: 'Id of the import.', examples: [EXAMPLE_IDS.job] },
  upload_id: { description: 'Id of the upload.', examples: [EXAMPLE_IDS.job] },
  template_id: { description: 'Id of the template.', examples: [EXAMPLE_IDS.item] },
  address_id: { description: 'Id of the address.', examples: [EXAMPLE_IDS.item] },
  address_secret: {
    description: 'The secret part of the address, which was shown when it was made.',
  },
  workout_id: { description: 'Id of the workout.', examples: [EXAMPLE_IDS.workout] },
  sleep_id: { description: 'Id of the sleep.', examples: [EXAMPLE_IDS.sleep] },
  document_id: {
    description: 'Id of the document, from `documents` of the results.',
    examples: [EXAMPLE_IDS.item],
  },
  task_id: { description: 'Id of the task.', examples: [EXAMPLE_IDS.item] },
  view_id: { description: 'Id of the saved view.', examples: [EXAMPLE_IDS.item] },
  query_id: { description: 'Id of the continuous query.', examples: [EXAMPLE_IDS.query] },
  rule_id: { description: 'Id of the rule.', examples: [EXAMPLE_IDS.rule] },
  episode_id: { description: 'Id of the episode.', examples: [EXAMPLE_IDS.episode] },
  query_id_or_slug: {
    description: 'Id or slug of the continuous query.',
    examples: ['daily-steps'],
  },
  lab_test_id: { description: 'Id of the lab test.', examples: [EXAMPLE_IDS.labTest] },
  lab_id: { description: 'Number of the laboratory.', examples: [1] },
  provider_id: {
    description: 'Code that the laboratory uses for the marker.',
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
    description: 'Slug of the provider.',
    examples: ['apple_health_kit', 'oura'],
  },
  code: { description: 'Link code.', examples: ['skus3f9a07c2'] },
  grant_type: {
    description: 'Grant type; the only value is `sign_in_token`.',
    examples: ['sign_in_token'],
  },
  expires_at: {
    description: 'Time at which the code expires; one hour after its creation by default.',
    examples: ['2026-03-02T09:00:00Z'],
  },

  // Periods
  start_date: {
    description:
      'Beginning: YYYY-MM-DD or an ISO 8601 date-time, which is in UTC when it has no offset.',
    examples: [START],
  },
  end_date: {
    description: 'End, inclusive: YYYY-MM-DD or an ISO 8601 date-time. The default is now.',
    examples: [END],
  },
  updated_start_date: {
    description: 'Returns only items that changed at this time or later.',
    examples: [START],
  },
  updated_end_date: {
    description: 'Returns only items that changed at this time or earlier.',
    examples: [END],
  },
  created_at_start: {
    description: 'Returns only items that arrived on this day or later.',
    examples: [START],
  },
  created_at_end: {
    description: 'Returns only items that arrived on this day or earlier.',
    examples: [END],
  },
  since: {
    description: 'Returns only items that happened at this time or later.',
    examples: [START],
  },
  until: {
    description: 'Returns only items that happened at this time or earlier.',
    examples: [END],
  },
  collection_date: {
    description: 'Time at which the sample is collected, with the local offset from UTC.',
    examples: ['2026-03-01T09:00:00-07:00'],
  },

  // Pages
  next_cursor: {
    description: 'The `next_cursor` of the previous page; the first page by default.',
    examples: ['eyJhZnRlciI6MTAwfQ'],
  },
  cursor: {
    description: 'Cursor of the page, identical to `next_cursor`.',
    examples: ['eyJhZnRlciI6MTAwfQ'],
  },
  limit: { description: 'Maximum number of items on a page.', examples: [50] },
  user_limit: { description: 'Maximum number of users on a page.', examples: [50] },
  lab_test_limit: { description: 'Maximum number of lab tests on a page.', examples: [50] },
  offset: { description: 'Number of items to skip from the beginning.', examples: [0] },
  page: { description: 'Number of the page, counted from 1.', examples: [1] },
  size: { description: 'Maximum number of items on a page.', examples: [50] },
  order_key: { description: ORDER_BY, examples: ['created_at'] },
  order_direction: { description: 'Direction of the sort.', examples: ['desc', 'asc'] },

  // Health data
  source_type: { description: 'Returns only providers of this kind.', examples: ['device'] },
  resource: { description: 'Returns only items of this resource.', examples: ['glucose'] },
  reason: {
    description: 'Returns only items that were quarantined for this reason.',
    examples: ['unknown_unit'],
  },
  data_type: { description: 'Returns only this type of data.', examples: ['sleep'] },
  slot: { description: 'Length of a slot.', examples: ['hour'] },
  explain: { description: 'Lists the samples that each slot was made of.', examples: [false] },
  query_type: { description: 'Owner of the query.', examples: ['team'] },

  // Laboratories
  zip_code: { description: 'ZIP code of the United States.', examples: ['85004'] },
  labs: { description: 'Returns only these laboratories.', examples: ['quest'] },
  lab_account_id: {
    description: 'Returns only items of this lab account.',
    examples: [EXAMPLE_IDS.labAccount],
  },
  status: {
    description: 'Returns only items with this status.',
    examples: ['active', 'completed', 'pending_customer_review', 'delivered', 'succeeded'],
  },
  generation_method: {
    description: 'Returns lab tests that the team created, those created for orders, or both.',
    examples: ['manual'],
  },
  lab_slug: { description: 'Slug of the laboratory.', examples: ['labcorp'] },
  collection_method: {
    description: 'Collection method.',
    examples: ['walk_in_test'],
  },
  marker_ids: { description: 'Ids of markers.', examples: [27] },
  provider_ids: {
    description: 'Codes that the laboratory uses for markers.',
    examples: ['001453'],
  },
  name: { description: 'Part of the name, in upper or lower case.', examples: ['glucose'] },
  include_pricing: {
    description: 'Whether prices are returned where they are known.',
    examples: [true],
  },
  a_la_carte_enabled: {
    description:
      'Returns only markers that can be ordered individually (true), or only the others (false).',
    examples: [true],
  },
  search_input: { description: 'Id, name or birth date to search for.', examples: ['1990-04-12'] },
  order_type: {
    description: 'Returns only orders with this collection method.',
    examples: ['walk_in_test'],
  },
  is_critical: {
    description: 'Returns only orders with a critical result (true), or only the others (false).',
    examples: [true],
  },
  interpretation: {
    description: 'Returns only orders with this overall interpretation of the results.',
    examples: ['abnormal'],
  },
  order_activation_types: {
    description:
      'Returns only orders that are sent to the laboratory at once, or only those for a later day.',
    examples: ['current'],
  },
  patient_name: { description: 'Part of the name of the patient.', examples: ['Moreau'] },
  shipping_recipient_name: {
    description: 'Part of the name of the recipient of the kit.',
    examples: ['Front desk'],
  },
  focus_id: {
    description: 'Id of the record that the tasks are about.',
    examples: [EXAMPLE_IDS.order],
  },
  order_ids: { description: 'Returns only these orders.', examples: [EXAMPLE_IDS.order] },
  order_transaction_id: {
    description: 'Returns only orders of this transaction.',
    examples: [EXAMPLE_IDS.transaction],
  },
  number_of_labels: { description: 'Number of labels to print.', examples: [3] },
  decision_code: {
    description: 'Returns only results that are held for this reason.',
    examples: ['multiple_demo_match'],
  },
  final_status: {
    description:
      'Status to which the order advances; by default it advances as far as it goes by itself.',
    examples: ['completed.walk_in_test.completed'],
  },
  delay: { description: 'Number of seconds between two steps.', examples: [0] },
  'x-idempotency-key': {
    description:
      'Idempotency key: any text that names this request. A repeated request with the same key gets the answer of the first.',
    examples: ['0b9f2c1e-order'],
  },
  'x-idempotency-error': {
    description:
      'Set to `no-cache` to keep a refusal from being stored, so that the same key can be sent again.',
    examples: ['no-cache'],
  },

  // FHIR
  resource_type: { description: 'Type of the resources.', examples: ['DiagnosticReport'] },
  client_id: { description: 'Id of the client.', examples: [EXAMPLE_IDS.item] },
  file_name: { description: 'Name of the file.', examples: ['Patient.ndjson'] },
  resource_id: { description: 'Id of the resource.', examples: [EXAMPLE_IDS.order] },

  // Person's rights
  export_id: { description: 'Id of the export.', examples: [EXAMPLE_IDS.item] },
  link_secret: { description: 'Last part of the link.', examples: ['0'.repeat(43)] },
  erasure_id: { description: 'Id of the erasure.', examples: [EXAMPLE_IDS.item] },
  hold_id: { description: 'Id of the legal hold.', examples: [EXAMPLE_IDS.item] },
  is_active: {
    description:
      'Returns only holds that are in force (true), or only those that were released (false).',
  },

  // Operation
  search_query: { description: 'Part of the name, or an id.', examples: ['Clinic'] },
  include_environment: {
    description: 'Environments whose settings are returned; both by default.',
    examples: ['sandbox'],
  },
  api_key_id: { description: 'Ids of the keys.', examples: [EXAMPLE_IDS.key] },
  role: { description: 'Returns only keys with this role.', examples: ['team_admin'] },
  dry_run: { description: 'Returns the changes without applying them.', examples: [true] },
  event_type: {
    description: 'Event type, or the beginning of one followed by *.',
    examples: ['daily.data.glucose.created'],
  },
  after: {
    description: 'Id of the last event that was read; by default reading starts with new events.',
    examples: ['748-12'],
  },
  follow: { description: 'Whether the answer stays open for further events.', examples: [false] },
}
