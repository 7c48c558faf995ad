/**
 * Operations that give a code, by their ids in the OpenAPI document, or words for where it is
 * given.
 */
type Where = string | readonly string[]
export type ErrorRow = readonly [status: number, meaning: string, where?: Where]

const PLACING = ['createOrder', 'createOrReplaceOrder', 'importOrder'] as const
const ORDER_SET = ['listOrderSetMarkers', ...PLACING] as const
const REVIEW = [
  'listUnmatchedResults',
  'getUnmatchedResult',
  'acceptUnmatchedResult',
  'resolveUnmatchedResult',
  'undoUnmatchedResult',
] as const
const SANDBOX = [
  'connectDemo',
  'createUnmatchedResultTest',
  'listUnmatchedResultTestCases',
  'getUnmatchedResultTest',
  'simulateOrder',
  'listSimulationTargets',
  'getSandboxClock',
  'advanceSandboxClock',
] as const
const BULK = [
  'importConnections',
  'exportConnections',
  'pauseConnections',
  'triggerHistoricalPulls',
] as const
const LINKED = [
  'startOAuthLink',
  'listLinkProviders',
  'getLinkConfig',
  'getLinkState',
  'checkLinkToken',
  'startLink',
] as const
const BOOK_PHLEBOTOMY = ['bookPhlebotomyAppointment', 'requestPhlebotomyAppointment'] as const
const BOOK = [...BOOK_PHLEBOTOMY, 'bookPscAppointment'] as const
const MOVE = ['reschedulePhlebotomyAppointment', 'reschedulePscAppointment'] as const
const CANCEL = ['cancelPhlebotomyAppointment', 'cancelPscAppointment'] as const
const AVAILABILITY = [
  'getPhlebotomyAppointmentAvailability',
  'getPscAppointmentAvailability',
] as const
const KEYED = ['bookPhlebotomyAppointment', 'bookPscAppointment', ...MOVE] as const
const AT_SITE = [
  'getPscAppointmentAvailability',
  'bookPscAppointment',
  'reschedulePscAppointment',
] as const
const FORMS = ['importAppleHealth', 'createParsingJob'] as const
const REPORT_PAGE = ['getParsingJobPage', 'getLabReportPage'] as const
const RUN = 'the `error` of a run of `POST /v3/unmatched_result_test`, which is no refusal'

/**
 * Every code of a refusal (`error_type`; of some 404 the `detail`): its status, what it means, and
 * where it is given, if that is not everywhere or told by what an endpoint takes. The type of
 * AppError, the OpenAPI document and docs/errors.md are made from it.
 */
export const ERROR_TYPES = {
  // Every endpoint, or many
  invalid_api_key: [401, 'The key is missing, unknown, revoked or expired.'],
  invalid_session: [401, 'The session of the console is unknown or has ended. Sign in again.'],
  cross_site_request: [
    403,
    'The cookie of the console came with a request that is not of the console.',
  ],
  invalid_token: [401, 'The token is unknown, expired or was used.'],
  reauthentication_required: [
    401,
    'The session of the app has ended. Sign in again.',
    ['exchangeToken'],
  ],
  invalid_signature: [
    401,
    'The message is not signed by the provider that it says it is of.',
    'messages of providers, `POST /v2/provider/{provider}/push`',
  ],
  not_found: [404, 'The id is unknown, or belongs to another team.'],
  validation_error: [422, 'The request does not match its schema; `detail` lists the problems.'],
  invalid_url: [400, 'The address is not valid.'],
  malformed_request: [400, 'The request is not valid HTTP.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  headers_too_large: [431, 'The address and the headers of the request are too long together.'],
  invalid_gzip: [400, 'The body is not valid gzip.'],
  invalid_content_length: [400, 'The body does not have the length that Content-Length says.'],
  invalid_cursor: [400, 'The cursor is malformed or belongs to another path or other filters.'],
  invalid_unit: [400, 'The unit is not understood.', ['getResultTrend']],
  invalid_date_range: [
    400,
    'The beginning is later than the end.',
    ['resendOrderEvents', 'recoverWebhook', 'listEvents', 'listPersonResults', 'getResultTrend'],
  ],
  range_too_large: [
    400,
    'The range or the answer is too large. Ask for less.',
    ['queryUserData', 'getContinuousQueryResultTable'],
  ],
  method_not_allowed: [405, 'This address does not take the method of the request.'],
  not_acceptable: [406, 'No media type that the request accepts can be answered.'],
  body_too_large: [413, 'The request body is over the limit of this endpoint.'],
  too_many_items: [413, 'A list of the body has too many entries.'],
  too_many_keys: [413, 'An object of the body has too many keys.'],
  too_many_values: [413, 'The body has too many values.'],
  item_too_large: [413, 'An entry of a list of the body is too large.'],
  unsupported_media_type: [415, 'This endpoint does not take the Content-Type of the request.'],
  unsupported_content_encoding: [415, 'Only gzip is taken as Content-Encoding.'],
  legal_hold: [
    409,
    'The person is under a legal hold.',
    ['deleteUser', 'erasePerson', 'tryErasure', 'placeLegalHold', 'removeDemoTeam'],
  ],
  erasure_begun: [409, 'The erasure of the person has begun.', ['placeLegalHold']],
  export_running: [409, 'Another export of the person is being made.', ['exportPerson']],
  export_not_completed: [
    409,
    'Only a completed export has a file.',
    ['downloadExport', 'createExportLink'],
  ],
  demo_team_filling: [409, 'The demo team is being filled.', ['removeDemoTeam']],
  idempotency_conflict: [
    409,
    'The key was used for another request, or that one still runs.',
    ['createOrder', 'createOrReplaceOrder', 'createUnmatchedResultTest', 'createParsingJob'],
  ],
  rate_limited: [
    429,
    'Too many requests of a key, a person or an address in one minute, refreshes of one person in an hour, or failed sign-ins.',
  ],
  client_gone: [499, 'The client did not wait for the answer.'],
  internal_error: [500, 'Something went wrong on the server.'],
  store_unavailable: [503, 'A database does not answer. Try again.'],
  shutting_down: [503, 'The server is shutting down. Try again in a moment.'],
  store_full: [507, 'A disk of the server is full.'],
  overloaded: [503, 'More waits to be stored than the server takes. Try again.'],
  storage_full: [503, 'The server has no room for the file.'],
  parser_unavailable: [
    503,
    'The server cannot look at files at the moment. Try again.',
    ['createParsingJob', ...REPORT_PAGE],
  ],
  storage_unavailable: [503, 'The storage of files does not answer. Try again.'],
  audit_unavailable: [503, 'The audit log cannot be written; the change may have been made.'],
  query_timeout: [503, 'The query took too long. Ask for a shorter time.'],
  role_too_low: [403, 'The role of the management key does not reach that far.'],
  sandbox_only: [403, 'This is for the sandbox only.', SANDBOX],
  own_user_only: [403, "An app reaches a part of its own person's data, and nothing else."],
  one_user_only: [403, 'The key or token reaches one person, and the request is not about one.'],
  address_not_allowed: [403, 'The page is not open to the address of the request.', '`/metrics`'],
  read_only: [403, 'The key or token only reads.'],
  feature_not_enabled: [
    403,
    'The feature is not enabled.',
    [
      'createContinuousQuery',
      'createParsingJob',
      'createPortalUrl',
      'fillDemoTeam',
      ...BULK,
      'listBulkOperations',
      ...AVAILABILITY,
      ...BOOK,
      ...MOVE,
      ...CANCEL,
    ],
  ],

  // Users, connections, data
  INVALID_REQUEST: [
    400,
    'client_user_id already belongs to a user.',
    ['createUser', 'updateUser', 'undoDeleteUser'],
  ],
  conflict: [400, 'A user with this client_user_id was being deleted. Try again.', ['createUser']],
  user_limit_reached: [400, 'The sandbox holds as many users as it may.', ['createUser']],
  already_connected: [409, 'The user is connected to this provider.', ['createManualConnection']],
  ingestion_ended: [
    409,
    "The user's ingestion_end is over; the connection is paused.",
    ['createManualConnection'],
  ],
  not_connected: [400, 'The user is not connected to this provider.', ['startSdkHistoricalStage']],
  invalid_code: [400, 'The code is unknown, used or expired.', ['exchangeLinkCode']],
  unsupported_grant_type: [
    400,
    'The grant type is not one that is taken here.',
    ['exchangeToken', 'exchangeLinkCode'],
  ],
  demo_user: [
    400,
    'The user has demo connections, and can have no others.',
    ['createLinkToken', 'createManualConnection'],
  ],
  provider_not_configured: [
    400,
    'The deployment does not connect the provider, or has no app of it.',
    [...BULK, 'startOAuthLink'],
  ],
  missing_link_token: [400, 'The request carries no link token.', LINKED],
  token_expired: [401, 'The link token is older than an hour.', LINKED],
  token_consumed: [401, 'A connection was made with the link token already.', LINKED],
  token_not_validated: [
    401,
    'The link token is for another provider.',
    ['startOAuthLink', 'startLink'],
  ],
  invalid_form: [400, 'The body is not a valid form.', FORMS],
  form_too_large: [413, 'The form has too many fields.', FORMS],
  empty_file: [400, 'The request carries no file, or an empty one.', FORMS],
  slug_taken: [
    409,
    'A continuous query, active or archived, already has this slug.',
    ['createContinuousQuery'],
  ],
  columns_changed: [
    409,
    'This version gives the query other columns than its results have.',
    ['updateContinuousQuery'],
  ],

  // Lab tests
  marker_selection_required: [400, 'Give marker_ids or provider_ids.', ['createLabTest']],
  marker_selection_conflict: [400, 'Give marker_ids or provider_ids, not both.', ['createLabTest']],
  markers_from_multiple_labs: [
    400,
    'All markers of a test must be of one laboratory.',
    ['createLabTest'],
  ],
  marker_not_a_la_carte: [400, 'A marker cannot be ordered by itself.', ORDER_SET],
  method_not_supported: [
    400,
    'The laboratory does not offer this collection method.',
    [...PLACING, 'createLabTest'],
  ],
  not_approved: [400, 'The lab test waits for approval.', ['updateLabTest']],
  not_pending_approval: [400, 'The lab test is archived.', ['approveLabTest']],
  lab_account_invalid: [
    400,
    'The lab account is not usable for this.',
    [...ORDER_SET, 'createLabTest', 'listServiceCenters', 'getAreaInfo'],
  ],
  lab_account_unavailable: [
    400,
    'No lab account can take this order.',
    [...PLACING, 'createTestkitOrder'],
  ],
  lab_account_ambiguous: [400, 'Several lab accounts fit. Name one of them.', PLACING],
  lab_test_not_active: [
    400,
    'A lab test is archived, waits for approval, or lost its lab.',
    [...ORDER_SET, 'createTestkitOrder'],
  ],
  order_set_required: [400, 'The order set names no lab test and no marker.', ORDER_SET],
  order_set_conflict: [400, 'Give order_set or lab_test_id, not both.', ORDER_SET],
  add_on_empty: [400, 'The add-on names no marker.', ORDER_SET],
  add_on_conflict: [400, 'Give marker_ids or provider_ids, not both.', ORDER_SET],
  multiple_labs: [400, 'An order goes to one laboratory.', ORDER_SET],
  multiple_methods: [400, 'The lab tests have different methods. Say which to use.', PLACING],
  collection_method_required: [400, 'An order with an add-on must say its method.', PLACING],
  lab_test_not_found: [404, 'The team has no such lab test.'],
  marker_not_found: [404, 'The marker is unknown, or not to be ordered by itself.'],
  lab_not_found: [404, 'There is no such laboratory.', ['convertCompendium', 'listServiceCenters']],

  // Orders and results
  lab_not_connected: [
    400,
    'The installation has no connection to the laboratory.',
    [...PLACING, 'registerTestkit', 'retryStuckOrder'],
  ],
  lab_message_not_failed: [
    400,
    'Only a message that failed is for the operator.',
    ['retryLabMessage', 'discardLabMessage'],
  ],
  order_not_stuck: [400, 'Nobody gave up to hand the order over.', ['retryStuckOrder']],
  saved_view_name_taken: [
    400,
    'Another saved view of the environment has this name.',
    ['createSavedView', 'updateSavedView'],
  ],
  too_many_saved_views: [400, 'The environment has 100 saved views.', ['createSavedView']],
  physician_required: [
    400,
    'The lab account needs an ordering physician.',
    [...PLACING, 'registerTestkit'],
  ],
  physician_not_licensed: [400, "The physician has no license in the patient's state.", PLACING],
  insurance_required: [400, 'The person has no insurance that could be billed.', PLACING],
  billing_not_allowed: [
    400,
    'The lab account does not allow this billing type in the state.',
    PLACING,
  ],
  icd_codes_required: [400, 'Insurance needs at least one diagnosis code.', PLACING],
  icd_codes_invalid: [
    400,
    'A diagnosis code is not one of ICD-10-CM.',
    [...PLACING, 'registerTestkit'],
  ],
  diagnosis_codes_loading: [
    503,
    'The first start of the installation still loads the diagnosis codes. Try again in a moment.',
    [...PLACING, 'registerTestkit', 'getOrderRequisition', 'searchDiagnoses', 'validateIcdCodes'],
  ],
  consents_required: [400, 'Consents of the patient are missing.', [...PLACING, 'registerTestkit']],
  minor_not_allowed: [
    400,
    'The team does not order for people under 18.',
    [...PLACING, 'registerTestkit'],
  ],
  medical_proxy_required: [
    400,
    'Somebody under 18 needs a medical proxy.',
    [...PLACING, 'registerTestkit'],
  ],
  demographics_required: [
    400,
    'The demographics of the user are not known.',
    ['acceptUnmatchedResult', 'createInsurance'],
  ],
  aoe_required: [400, 'Questions of the laboratory are not answered.', PLACING],
  aoe_invalid: [
    400,
    'An answer fits no question of the ordered markers, or is not allowed.',
    PLACING,
  ],
  activate_by_in_past: [
    400,
    'The activate_by date is in the past.',
    [...PLACING, 'rescheduleOrder'],
  ],
  sample_id_taken: [400, 'The laboratory has another order of this sample_id.', ['importOrder']],
  not_a_testkit: [400, 'The lab test is not done with a kit.', ['createTestkitOrder']],
  already_registered: [400, 'The kit was registered before.', ['registerTestkit']],
  kit_not_registrable: [400, 'The order of the kit has ended.', ['registerTestkit']],
  update_reason_required: [400, 'Say why the order is replaced.', ['createOrReplaceOrder']],
  order_already_recreated: [400, 'The order was replaced already.', ['createOrReplaceOrder']],
  order_not_scheduled: [400, 'The order was placed to be processed at once.', ['rescheduleOrder']],
  order_not_modifiable: [400, 'The order was handed over already.', ['rescheduleOrder']],
  transition_not_allowed: [
    400,
    'The order cannot go from its status to that one.',
    ['cancelOrder', 'completeDraw', 'acceptUnmatchedResult', 'resolveUnmatchedResult'],
  ],
  appointment_exists: [
    400,
    'The order has an active appointment, or its patient has one with this provider of phlebotomists.',
  ],
  wrong_collection_method: [
    400,
    'Orders of another collection method are meant.',
    ['completeDraw', ...BOOK, ...MOVE, ...CANCEL],
  ],
  resend_filter_required: [400, 'Give order_ids or start_at.', ['resendOrderEvents']],
  resend_window_too_long: [
    400,
    'The time from start_at to end_at is over 60 days.',
    ['resendOrderEvents'],
  ],
  final_status_unreachable: [
    400,
    'The order cannot reach the status from where it is.',
    ['simulateOrder'],
  ],
  match_review_disabled: [400, 'The team has no review queue.', REVIEW],
  undo_not_possible: [400, 'The decision cannot be taken back any more.', ['undoUnmatchedResult']],
  result_already_attached: [
    400,
    'The order has this very result, or a later one.',
    ['acceptUnmatchedResult'],
  ],

  // Insurance
  payor_filter_required: [
    400,
    'Name what to look for: insurance_name, or provider with provider_payor_id.',
    ['searchPayors', 'searchPayorsByBody'],
  ],
  guarantor_required: [
    400,
    'Somebody has to guarantee payment unless relationship is Self.',
    ['createInsurance'],
  ],
  payor_not_found: [404, 'The payor is unknown, or of another team.'],
  insurance_not_found: [404, 'The user has no such insurance.', ['getLatestInsurance']],

  slot_in_past: [400, 'The slot has begun.', KEYED],
  invalid_booking_key: [
    400,
    'The booking key is malformed, over, or not of what is to be booked.',
    KEYED,
  ],
  site_not_found: [400, 'The laboratory has no such site.', AT_SITE],
  site_inactive: [400, 'The site is closed.', AT_SITE],
  start_date_in_past: [400, 'The start_date is before today.', AVAILABILITY],
  site_or_zip_required: [400, 'Name site_codes or a zip_code.', ['getPscAppointmentAvailability']],
  radius_required: [
    400,
    'A search around a zip_code needs a radius.',
    ['getPscAppointmentAvailability'],
  ],
  too_many_sites: [400, 'Name three sites at most.', ['getPscAppointmentAvailability']],
  requisition_missing: [
    400,
    'The laboratory has no requisition yet, and the team does not book before, or it is too late for that.',
    [...BOOK, ...MOVE],
  ],
  order_state: [
    400,
    'The status of the order or of its appointment forbids it.',
    [...BOOK, ...MOVE, ...CANCEL],
  ],
  lab_not_schedulable: [
    400,
    "Appointments at the order's laboratory are not made here.",
    ['bookPscAppointment'],
  ],
  area_not_served: [400, 'No such provider comes to the address.', BOOK_PHLEBOTOMY],
  provider_not_requestable: [
    400,
    'The provider takes no requests without a slot.',
    ['requestPhlebotomyAppointment'],
  ],
  booking_refused: [
    400,
    'The provider will not serve the patient or the address.',
    [...BOOK, ...MOVE],
  ],
  patient_too_young: [400, 'Nobody is sent to patients under 18.', BOOK_PHLEBOTOMY],
  no_appointment: [400, 'The order has no appointment.', [...MOVE, ...CANCEL]],
  not_reschedulable: [400, 'The appointment cannot be moved here.', MOVE],
  appointment_closed: [
    400,
    'The appointment is completed or cancelled.',
    [...BOOK, ...MOVE, ...CANCEL],
  ],
  appointment_already_cancelled: [400, 'The appointment is cancelled already.', CANCEL],
  appointment_busy: [409, 'Another request is moving the appointment. Try again.', MOVE],
  provider_unavailable: [
    502,
    'The provider of appointments does not answer. Send the same request again.',
    [...AVAILABILITY, ...BOOK, ...MOVE],
  ],
  slot_unavailable: [404, 'The slot is taken or gone.', KEYED],
  no_slots_found: [404, 'No site that can be booked was found.', ['getPscAppointmentAvailability']],
  appointment_not_found: [
    404,
    'The order has no appointment.',
    ['getPhlebotomyAppointment', 'getPscAppointment'],
  ],
  cancellation_reason_not_found: [404, 'The reason is unknown.', CANCEL],

  // Lab reports
  unsupported_file_type: [400, 'A file is not PDF, JPEG or PNG.', ['createParsingJob']],
  content_type_mismatch: [400, 'A file is not what its Content-Type says.', ['createParsingJob']],
  too_many_files: [400, 'A report has at most 8 files.', ['createParsingJob']],
  pdf_in_multi_upload: [
    400,
    'Several files are pages of one report: images.',
    ['createParsingJob'],
  ],
  unreadable_file: [
    400,
    'A file is damaged, cut off or encrypted; or its page cannot be rendered.',
    ['createParsingJob', ...REPORT_PAGE],
  ],
  too_many_pages: [400, 'The PDF has more than 20 pages.', ['createParsingJob']],
  file_too_large: [
    413,
    'A file is over 10 MiB, or all together are over 20 MiB.',
    ['createParsingJob'],
  ],
  human_review_not_enabled: [400, 'The team has no human review of reports.', ['createParsingJob']],
  sandbox_job_limit: [
    403,
    'The sandbox holds as many parsing jobs as it may.',
    ['createParsingJob'],
  ],
  job_not_completed: [
    409,
    'Only a completed job shows where its results stand.',
    ['getParsingJobEvidence'],
  ],
  job_not_pending_review: [
    409,
    'The report does not wait for a reviewer.',
    ['approveLabReport', 'rejectLabReport'],
  ],
  patient_not_confirmed: [
    409,
    "The patient of the report may not be the person that it was uploaded for, and the reviewer did not confirm that it is this person's.",
    ['approveLabReport'],
  ],
  job_not_found: [
    404,
    'There is no such parsing job, or nobody is to review it.',
    [
      'getParsingJob',
      'deleteParsingJob',
      'getParsingJobEvidence',
      'getParsingJobFile',
      'getLabReportReview',
      'getLabReportFile',
      ...REPORT_PAGE,
      'approveLabReport',
      'rejectLabReport',
    ],
  ],
  file_not_found: [
    404,
    'The report has no such file, or none any more.',
    ['getLabReportFile', 'getParsingJobFile', ...REPORT_PAGE],
  ],
  page_not_found: [404, 'The report has no such page.', REPORT_PAGE],

  user_not_found: [404, 'The user of the order, or of the report, is unknown.'],
  team_not_found: [404, 'The team is not that of the key.', ['listTeamPhysicians']],
  lab_message_not_found: [404, 'The message is unknown.'],
  saved_view_not_found: [404, 'The saved view is unknown.'],
  order_not_found: [404, 'The order is unknown.'],
  order_transaction_not_found: [404, 'The order transaction is unknown.'],
  kit_not_found: [404, 'No kit with this sample_id waits for its patient.', ['registerTestkit']],
  document_not_available: [404, 'The document does not exist, or not yet.'],
  results_not_available: [404, 'There is no result yet.'],
  result_version_not_found: [404, 'The result has no such version.'],
  unmatched_result_not_found: [404, 'The result is unknown, or not for the team to review.'],
  unmatched_result_test_not_found: [404, 'The run is unknown.', ['getUnmatchedResultTest']],
  lab_test_required: [400, 'Several lab tests fit. Name one.', ['createUnmatchedResultTest']],
  lab_test_unsuitable: [
    400,
    'The lab test does not go with the case.',
    ['createUnmatchedResultTest'],
  ],
  order_status_invalid: [400, 'An order is not in the status that the case needs.', RUN],
  orders_unsuitable: [400, 'The orders do not go with the case.', RUN],
  wrong_lab_test_required: [400, 'Name a lab test of another laboratory.', RUN],
  wrong_lab_test_unsuitable: [400, 'Both lab tests are of one laboratory.', RUN],
  unexpected_match: [400, 'The report was not held as the case says.', RUN],

  // Management and webhooks
  team_id_taken: [409, 'This team id is in use.', ['createTeam']],
  integration_team_id_taken: [
    409,
    'Another team has this integration_team_id.',
    ['createTeam', 'updateTeam'],
  ],
  last_org_admin_key: [400, 'The last org_admin key cannot be deleted.', ['revokeManagementKey']],
  destination_not_available: [
    400,
    'Webhooks (svix) are the only destination of events.',
    ['updateTeamPipelines'],
  ],
  raw_data_not_available: [
    400,
    'The raw data of providers cannot be sent.',
    ['updateTeamPipelines'],
  ],
  payors_invalid: [400, 'The list of payors has problems; nothing was loaded.', ['loadPayors']],
  service_centers_invalid: [
    400,
    'The list has problems; nothing was loaded.',
    ['loadServiceCenters'],
  ],
  order_has_no_address: [
    400,
    'The order is a kit that nobody registered yet, so there is no address to look around.',
    ['listServiceCentersOfOrder'],
  ],
  catalog_invalid: [400, 'The catalog has problems; nothing was loaded.', ['loadCatalog']],
  diagnosis_codes_invalid: [
    400,
    'The diagnosis codes have problems; nothing was loaded.',
    ['loadDiagnosisCodes'],
  ],
  webhook_disabled: [
    400,
    'The webhook is disabled. Enable it first.',
    ['resendEvent', 'recoverWebhook', 'sendWebhookExample'],
  ],
  not_dispatched: [409, 'The event waits to be sent for the first time.', ['resendEvent']],
  invalid_last_event_id: [
    400,
    'Last-Event-ID is not the id of an event of the stream.',
    ['followEvents'],
  ],
  unknown_position: [
    400,
    'The position is not one of this stream. Begin without it.',
    ['followEvents'],
  ],
} as const satisfies Record<string, ErrorRow>

export type ErrorType = keyof typeof ERROR_TYPES
export type ErrorStatus = (typeof ERROR_TYPES)[ErrorType][0]
/** Codes that have the status. */
export type ErrorTypeOf<S extends ErrorStatus> = {
  [Code in ErrorType]: (typeof ERROR_TYPES)[Code][0] extends S ? Code : never
}[ErrorType]

/** Codes of the problems that a 422 lists, and what they mean. */
export const PROBLEM_TYPES = {
  // Shape
  missing: 'A field that is required is not there.',
  type: 'The value is of another type.',
  enum: 'The value is none of those allowed.',
  format: 'The text has not the form that is asked for.',
  email: 'The text is no e-mail address.',
  uuid_parsing: 'The text is no UUID.',
  date_parsing: 'The text is no calendar date.',
  datetime_parsing: 'The text is no ISO 8601 date-time.',
  time_zone: 'The text is no IANA time zone.',
  url_parsing: 'The text is no URL.',
  greater_than_equal: 'The number is too small.',
  less_than_equal: 'The number is too large.',
  too_short: 'The text or list is too short.',
  too_long: 'The text or list is too long.',
  string_pattern_mismatch: 'The text does not match the pattern.',
  string_unicode: 'The text holds a character that cannot be stored.',
  extra_forbidden: 'The field does not belong here.',
  json_invalid: 'The body is not valid JSON.',
  json_too_deep: 'The body is nested too deeply.',
  anyOf: 'The value has none of the shapes that are allowed.',
  minProperties: 'The object has too few fields.',
  maxProperties: 'The object has too many fields.',

  // Rules of single fields
  string_length: 'The text is too short or too long, blanks at the ends not counted.',
  date_past: 'The date is in the future.',
  date_too_early: 'The date is too long ago.',
  date_too_late: 'The time is too far away.',
  date_future: 'The time is in the past.',
  date_range: 'The range ends before it starts.',
  exactly_one: 'Exactly one of two fields is to be given.',
  one_of: 'One of two fields is to be given.',
  duplicate: 'The entry is named twice.',
  phone_number: 'The text is no phone number.',
  npi: 'The text is no NPI.',
  zip_mismatch: '`zip` and `zip_code` differ.',
  street_number: 'The street has no number.',
  invalid_url: 'The text is no URL.',
  url_not_allowed: 'The URL is none of those that the team allows.',
  https_required: 'The URL is not https.',
  credentials_in_url: 'The URL holds a user or password.',
  private_address: 'The URL leads to a private address.',
  invalid_secret: 'The text is no signing secret.',
  invalid_header: 'The name or value of a header is not allowed.',
  unknown_event_type: 'No event has this type.',
  unknown_provider: 'No provider has this slug.',
  resource_mismatch: 'The resource does not belong to the data type.',
  region_mismatch: 'The team lives in another region.',
  bindings_not_allowed: 'An org_admin takes no bindings.',
  unknown_markers: 'The report does not tell which tests it answers.',
  order_not_taking_results: 'No result can come to the order in its state.',
  order_of_other_user: 'The order is not of the user.',
  ambiguous: 'More than one target is possible, or none.',
  provided_required: 'The case needs orders of the caller.',
  order_roles: 'The orders are not exactly those of the case.',

  // Queries
  unknown_column: 'There is no such column, series or table.',
  cross_table: 'A query reads one table.',
  where_syntax: 'The filter breaks the grammar.',
  where_type: 'The filter compares different types.',
  invalid_function: 'The function does not take this type.',
  invalid_group_key: 'There is no such group key.',
  multiple_date_trunc: 'There is more than one date_trunc.',
  mixed_select: 'Rows and aggregates are selected together.',
  list_column: 'A list is selected as it is.',
  invalid_subquery: 'The subquery makes no sense.',
  invalid_align: 'The align does not fit the query.',
  missing_group_key: 'A group key is not selected.',
  placeholder: 'A placeholder was left in the query.',
} as const

export type ProblemType = keyof typeof PROBLEM_TYPES
