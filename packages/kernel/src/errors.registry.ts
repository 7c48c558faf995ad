/**
 * Operations that return a code, by their ids in the OpenAPI document, or a description of the
 * place.
 */
type Where = string | readonly string[]
export type ErrorRow = readonly [status: number, meaning: string, where?: Where]

const FHIR_EXPORT = ['exportFhirPatients', 'exportFhirGroup'] as const
const PLACING = [
  'createOrder',
  'createOrReplaceOrder',
  'importOrder',
  'createFhirOrder',
  'submitFhirBundle',
] as const
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
const CHANGE_TASK = [
  'receiveTask',
  'acknowledgeTask',
  'assignTask',
  'completeTask',
  'cancelTask',
] as const
/** Operations of the page of a person. A share includes only some of them. */
const PORTAL = [
  'listPortalConnections',
  'connectFromPortal',
  'disconnectFromPortal',
  'getPortalData',
  'listPortalResults',
  'getPortalDocument',
  'listOwnPortalShares',
  'createPortalShare',
  'revokeOwnPortalShare',
  'getPortalAccessLog',
  'listPortalExports',
  'createPortalExport',
  'downloadPortalExport',
  'listPortalImports',
  'importFromPortal',
  'createPortalUpload',
  'getPortalUpload',
  'appendToPortalUpload',
  'requestErasureFromPortal',
  'withdrawErasureRequest',
] as const
const BULK = [
  'importConnections',
  'exportConnections',
  'pauseConnections',
  'triggerHistoricalPulls',
] as const
const SIGN_IN = [
  'startOAuthLink',
  'connectByPassword',
  'connectByPasswordOld',
  'connectByEmail',
  'connectByEmailOld',
] as const
const LINKED = [
  'startOAuthLink',
  'listLinkProviders',
  'getLinkConfig',
  'getLinkState',
  'checkLinkToken',
  'continueLink',
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
const FORMS = ['importFile', 'importAppleHealth', 'createParsingJob'] as const
const IMPORTS = ['importFile', 'answerImport'] as const
const UPLOADS = ['createImportUpload', 'appendToImportUpload', 'deleteImportUpload'] as const
/** Operations that take the file of an upload. */
const TAKING = ['importFile', 'importAppleHealth'] as const
const REPORT_PAGE = ['getParsingJobPage', 'getLabReportPage'] as const
const RUN =
  'the `error` of a run of `POST /v3/unmatched_result_test`, which is not a refused request'

/**
 * Every code of a refused request (`error_type`; of some 404 the `detail`): its status, its meaning
 * and its operations, unless these are all or follow from the input of an operation. The type of
 * AppError, the OpenAPI document and docs/errors.md are generated from it.
 */
export const ERROR_TYPES = {
  // Every endpoint, or many
  invalid_api_key: [401, 'The key is missing, unknown, revoked or expired.'],
  invalid_session: [
    401,
    'The session of the console or of the portal is unknown or has ended. Sign in again.',
  ],
  cross_site_request: [
    403,
    'The request has the cookie of the console or of the portal, but does not come from its page.',
  ],
  invalid_token: [401, 'The token is unknown, expired or already used.'],
  reauthentication_required: [
    401,
    'The session of the app has ended. Sign in again.',
    ['exchangeToken'],
  ],
  invalid_signature: [
    401,
    'The message is not signed by the provider that it names.',
    'messages of providers, `POST /v2/provider/{provider}/push`',
  ],
  not_found: [404, 'The id is unknown or belongs to another team.'],
  validation_error: [422, 'The request does not match its schema; `detail` lists the problems.'],
  invalid_url: [400, 'The URL is not valid.'],
  malformed_request: [400, 'The request is not valid HTTP.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  headers_too_large: [431, 'The URL and the headers of the request are too long together.'],
  invalid_gzip: [400, 'The body is not valid gzip.'],
  invalid_zstd: [400, 'The body is not valid zstd.', ['uploadBulkSamples']],
  invalid_ndjson: [400, 'More than 10,000 lines of the body are not JSON.', ['uploadBulkSamples']],
  invalid_parquet: [
    400,
    'The body is not a Parquet file that can be read, or lacks a column.',
    ['uploadBulkSamples'],
  ],
  invalid_content_length: [400, 'The length of the body is not that of Content-Length.'],
  invalid_search_parameter: [
    400,
    'A value or a modifier of a search parameter is not valid.',
    ['searchFhir', 'searchFhirByForm', 'getFhirEverything', ...FHIR_EXPORT],
  ],
  unknown_search_parameter: [
    400,
    'The search parameter is not known, and the request has `Prefer: handling=strict`.',
    ['searchFhir', 'searchFhirByForm'],
  ],
  order_identifier_taken: [
    409,
    'Another order has the identifier.',
    ['createFhirOrder', 'submitFhirBundle'],
  ],
  search_too_large: [
    400,
    'The search finds too many rows to sort them.',
    ['searchFhir', 'searchFhirByForm'],
  ],
  invalid_cursor: [400, 'The cursor is malformed or belongs to another path or other filters.'],
  invalid_unit: [400, 'The unit is unknown.', ['getResultTrend']],
  invalid_date_range: [
    400,
    'The start_date is later than the end_date.',
    ['resendOrderEvents', 'recoverWebhook', 'listEvents', 'listPersonResults', 'getResultTrend'],
  ],
  range_too_large: [
    400,
    'The range or the answer is too large. Request a shorter range.',
    ['queryUserData', 'getContinuousQueryResultTable'],
  ],
  method_not_allowed: [405, 'The path does not support the method of the request.'],
  not_acceptable: [406, 'The endpoint cannot answer in a media type that the request accepts.'],
  body_too_large: [413, 'The request body is larger than the limit of this endpoint.'],
  too_many_items: [413, 'A list of the body has too many entries.'],
  too_many_keys: [413, 'An object of the body has too many keys.'],
  too_many_values: [413, 'The body has too many values.'],
  item_too_large: [413, 'An entry of a list of the body is too large.'],
  unsupported_media_type: [415, 'This endpoint does not support the Content-Type of the request.'],
  unsupported_content_encoding: [
    415,
    'Only gzip is supported as Content-Encoding; bulk uploads also take zstd.',
  ],
  legal_hold: [
    409,
    'The user is under a legal hold.',
    ['deleteUser', 'erasePerson', 'tryErasure', 'placeLegalHold', 'removeDemoTeam'],
  ],
  erasure_begun: [409, 'The erasure of the user has begun.', ['placeLegalHold']],
  export_running: [
    409,
    'Another export of the user, or of the environment, is being made.',
    ['exportPerson', 'exportFhirPatients', 'exportFhirGroup'],
  ],
  invalid_client: [
    401,
    'The client is unknown, or its assertion is not valid or was used before.',
    ['createSmartToken'],
  ],
  invalid_scope: [400, 'The client has none of the requested scopes.', ['createSmartToken']],
  insufficient_scope: [
    403,
    'The key, token or role does not have the permission that this needs.',
    'the FHIR interface, with the token of a SMART client',
  ],
  export_failed: [500, 'The export failed. Start another one.', ['getFhirExport']],
  export_not_completed: [
    409,
    'Only a completed export has a file.',
    ['downloadExport', 'createExportLink'],
  ],
  demo_team_filling: [409, 'The demo team is being filled.', ['removeDemoTeam']],
  idempotency_conflict: [
    409,
    'The idempotency key was used for another request, or its request is still running.',
    ['createOrder', 'createOrReplaceOrder', 'createUnmatchedResultTest', 'createParsingJob'],
  ],
  rate_limited: [
    429,
    'There were too many requests of a key, a user or an address in one minute, too many refreshes of one user in an hour, or too many failed sign-ins.',
  ],
  client_gone: [499, 'The client disconnected before the answer.'],
  internal_error: [500, 'Something went wrong on the server.'],
  store_unavailable: [503, 'A database does not answer. Try again.'],
  shutting_down: [503, 'The server is shutting down. Try again in a moment.'],
  store_full: [507, 'A disk of the server is full.'],
  overloaded: [503, 'The server has too much data waiting to be stored. Try again.'],
  storage_full: [503, 'The server has no room for the file.'],
  parser_unavailable: [
    503,
    'The server cannot read files at the moment. Try again.',
    ['createParsingJob', ...REPORT_PAGE],
  ],
  storage_unavailable: [503, 'The storage of files does not answer. Try again.'],
  audit_unavailable: [503, 'The audit log cannot be written; the change may have been made.'],
  query_timeout: [503, 'The query took too long. Request a shorter range.'],
  role_too_low: [403, 'The role of the management key does not allow this.'],
  sandbox_only: [403, 'This works only in the sandbox.', SANDBOX],
  own_user_only: [403, 'An app can only use a part of the data of its own user.'],
  one_user_only: [
    403,
    'The key or token is limited to one user, and the request is not about that user.',
  ],
  address_not_allowed: [403, 'The client address may not read this page.', '`/metrics`'],
  read_only: [403, 'The key or token does not allow changes.'],
  feature_not_enabled: [
    403,
    'The feature is not enabled.',
    [
      'createContinuousQuery',
      'createParsingJob',
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
  user_limit_reached: [400, 'The sandbox has reached its maximum number of users.', ['createUser']],
  already_connected: [409, 'The user is connected to this provider.', ['createManualConnection']],
  ingestion_ended: [
    409,
    'The ingestion_end of the user has passed; the connection is paused.',
    ['createManualConnection'],
  ],
  not_connected: [400, 'The user is not connected to this provider.', ['startSdkHistoricalStage']],
  invalid_code: [
    400,
    'The code is unknown, used or expired.',
    ['exchangeLinkCode', 'openPortalSession'],
  ],
  share_ended: [
    410,
    'The share has expired, or the person revoked it.',
    ['openPortalSession', 'getPortalAccess', 'getPortalData', 'listPortalResults'],
  ],
  not_shared: [403, 'The share does not include this.', PORTAL],
  too_many_shares: [
    400,
    'A person has at most 50 shares that have not ended.',
    ['createPortalShare'],
  ],
  unsupported_grant_type: [
    400,
    'The grant type is not supported.',
    ['exchangeToken', 'exchangeLinkCode', 'createSmartToken'],
  ],
  demo_user: [
    400,
    'The user has demo connections and cannot have others.',
    ['createLinkToken', 'createManualConnection'],
  ],
  provider_not_available: [
    400,
    'Salus cannot connect the provider, or only in sandboxes. The message has the reason.',
    [...BULK, ...SIGN_IN, 'createLinkToken', 'startLink'],
  ],
  provider_not_configured: [
    400,
    'The deployment and the team have no app for the provider.',
    ['startOAuthLink', 'connectByEmail', 'connectByEmailOld'],
  ],
  unsupported_region: [400, 'The provider has no such region.', ['startOAuthLink']],
  missing_link_token: [400, 'The request has no link token.', LINKED],
  token_expired: [401, 'The link token is older than an hour.', LINKED],
  token_consumed: [401, 'The link token was already used for a connection.', LINKED],
  token_not_validated: [
    401,
    'The link token is for another provider.',
    ['startOAuthLink', 'startLink'],
  ],
  invalid_form: [400, 'The body is not a valid form.', FORMS],
  form_too_large: [413, 'The form has too many fields.', FORMS],
  empty_file: [400, 'The request has no file, or an empty one.', FORMS],
  unknown_format: [400, 'The `format` is no format of `GET /v2/import/formats`.', ['importFile']],
  unknown_time_zone: [400, 'The `time_zone` is neither an IANA zone nor `floating`.', IMPORTS],
  unknown_template: [400, 'The environment has no template of this id.', IMPORTS],
  invalid_template: [
    400,
    'The template cannot be applied: `problem` says why, and `field` where.',
    ['createImportTemplate', 'updateImportTemplate', 'previewTable'],
  ],
  too_many_templates: [400, 'An environment has at most 500 templates.', ['createImportTemplate']],
  template_name_taken: [
    409,
    'Another template of the environment has this name.',
    ['createImportTemplate', 'updateImportTemplate'],
  ],
  unreadable_table: [
    400,
    'The content is no table, or lacks columns of the template.',
    ['previewTable'],
  ],
  too_many_addresses: [400, 'A user has at most 20 addresses.', ['createImportAddress']],
  too_many_uploads: [400, 'A user has at most 20 open uploads.', ['createImportUpload']],
  import_not_waiting: [409, 'The import does not wait for options.', ['answerImport']],
  unsupported_tus_version: [
    412,
    'The header Tus-Resumable is missing or names another version than 1.0.0.',
    UPLOADS,
  ],
  unsupported_tus_extension: [
    400,
    'The request uses an extension of tus that Salus does not have: checksums, deferred lengths or concatenation.',
    UPLOADS,
  ],
  upload_offset_conflict: [
    409,
    'The offset is not the number of bytes that the server has, which is the `offset` of the body.',
    ['appendToImportUpload'],
  ],
  upload_incomplete: [
    409,
    'The file of the upload is not complete: `offset` of `length` bytes are stored.',
    TAKING,
  ],
  upload_locked: [
    423,
    'Another request is writing to the upload, or ended some seconds ago. Try again in some seconds.',
    ['appendToImportUpload', 'deleteImportUpload', ...TAKING],
  ],
  upload_and_body: [400, 'Send either the file or the id of an upload.', TAKING],
  slug_taken: [
    409,
    'A continuous query, active or archived, already has this slug.',
    ['createContinuousQuery'],
  ],
  too_many_rules: [409, 'The environment has 100 rules.', ['createRule']],
  columns_changed: [
    409,
    'The new version of the query has other columns than its stored results.',
    ['updateContinuousQuery'],
  ],

  // Lab tests
  marker_selection_required: [400, 'Give marker_ids or provider_ids.', ['createLabTest']],
  marker_selection_conflict: [400, 'Give marker_ids or provider_ids, not both.', ['createLabTest']],
  markers_from_multiple_labs: [
    400,
    'All markers of a test must belong to one laboratory.',
    ['createLabTest'],
  ],
  marker_not_a_la_carte: [400, 'A marker cannot be ordered by itself.', ORDER_SET],
  method_not_supported: [
    400,
    'The laboratory does not offer this collection method.',
    [...PLACING, 'createLabTest'],
  ],
  not_approved: [400, 'The lab test is pending approval.', ['updateLabTest']],
  not_pending_approval: [400, 'The lab test is archived.', ['approveLabTest']],
  lab_account_invalid: [
    400,
    'The lab account cannot be used for this.',
    [...ORDER_SET, 'createLabTest', 'listServiceCenters', 'getAreaInfo'],
  ],
  lab_account_unavailable: [
    400,
    'No lab account accepts this order.',
    [...PLACING, 'createTestkitOrder'],
  ],
  lab_account_ambiguous: [400, 'Several lab accounts match. Name one of them.', PLACING],
  lab_test_not_active: [
    400,
    'A lab test is archived, waits for approval, or no longer has a laboratory.',
    [...ORDER_SET, 'createTestkitOrder'],
  ],
  order_set_required: [400, 'The order set has no lab tests and no markers.', ORDER_SET],
  order_set_conflict: [400, 'Give order_set or lab_test_id, not both.', ORDER_SET],
  add_on_empty: [400, 'The add-on has no markers.', ORDER_SET],
  add_on_conflict: [400, 'Give marker_ids or provider_ids, not both.', ORDER_SET],
  multiple_labs: [400, 'All tests of an order must be of one laboratory.', ORDER_SET],
  multiple_methods: [
    400,
    'The lab tests have different collection methods. Name one of them.',
    PLACING,
  ],
  collection_method_required: [
    400,
    'An order with an add-on must name its collection method.',
    PLACING,
  ],
  lab_test_not_found: [404, 'The team has no such lab test.'],
  marker_not_found: [404, 'The marker is unknown, or cannot be ordered by itself.'],
  lab_not_found: [404, 'There is no such laboratory.', ['convertCompendium', 'listServiceCenters']],

  // Orders and results
  lab_not_connected: [
    400,
    'The installation has no connection to the laboratory.',
    [...PLACING, 'registerTestkit', 'retryStuckOrder'],
  ],
  lab_message_not_failed: [
    400,
    'Only a message that failed can be retried or discarded.',
    ['retryLabMessage', 'discardLabMessage'],
  ],
  lab_already_connected: [
    400,
    'Another enabled connection of the environment serves the laboratory.',
    ['importLabConnection'],
  ],
  lab_connection_name_taken: [
    400,
    'A deleted connection has the name. Names are not used again.',
    ['importLabConnection'],
  ],
  lab_connection_not_sending: [
    400,
    'The connection is held, disabled, or sends no orders.',
    ['resendOutgoingLabMessage'],
  ],
  order_not_stuck: [
    400,
    'The order is not stuck: neither sending it to the laboratory nor cancelling it there failed.',
    ['retryStuckOrder', 'resolveStuckOrder'],
  ],
  critical_result_task_closed: [
    400,
    'The critical result was acknowledged, or its version of the results was removed.',
    ['receiveCriticalResultTask', 'acknowledgeCriticalResultTask'],
  ],
  note_changed: [
    409,
    'The note was changed meanwhile; `version` is the newest one.',
    ['updateNote', 'withdrawNote'],
  ],
  task_acknowledged: [
    409,
    'Another person has acknowledged the task; `acknowledged_by` names them.',
    CHANGE_TASK,
  ],
  task_ended: [409, 'The task was completed or cancelled.', CHANGE_TASK],
  task_ends_with_reason: [
    409,
    'Tasks of this kind end with their reason, not by a person.',
    ['completeTask', 'cancelTask'],
  ],
  saved_view_name_taken: [
    400,
    'Another saved view of the list has this name.',
    ['createSavedView', 'updateSavedView'],
  ],
  too_many_saved_views: [400, 'The list already has 100 saved views.', ['createSavedView']],
  too_many_rows: [
    400,
    'The list is longer than a file may be; `most_rows` says how long.',
    ['exportUserList', 'exportOrderList', 'exportTaskList'],
  ],
  physician_required: [
    400,
    'The lab account needs an ordering physician.',
    [...PLACING, 'registerTestkit'],
  ],
  physician_not_licensed: [400, "The physician has no license in the patient's state.", PLACING],
  insurance_required: [400, 'The user has no insurance that can be billed.', PLACING],
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
    'A patient under 18 needs a medical proxy.',
    [...PLACING, 'registerTestkit'],
  ],
  demographics_required: [
    400,
    'The demographics of the user are not known.',
    ['acceptUnmatchedResult', 'createInsurance'],
  ],
  aoe_required: [400, 'Answers to questions of the laboratory are missing.', PLACING],
  aoe_invalid: [
    400,
    'An answer does not belong to a question of the ordered markers, or is not allowed.',
    PLACING,
  ],
  activate_by_in_past: [
    400,
    'The activate_by date is in the past.',
    [...PLACING, 'rescheduleOrder'],
  ],
  sample_id_taken: [400, 'The laboratory has another order with this sample_id.', ['importOrder']],
  not_a_testkit: [400, 'The lab test is not done with a kit.', ['createTestkitOrder']],
  already_registered: [400, 'The kit is already registered.', ['registerTestkit']],
  kit_not_registrable: [400, 'The order of the kit has ended.', ['registerTestkit']],
  update_reason_required: [
    400,
    'update_reason is required to replace an order.',
    ['createOrReplaceOrder'],
  ],
  order_already_recreated: [400, 'The order was already replaced.', ['createOrReplaceOrder']],
  order_not_scheduled: [
    400,
    'The order is not scheduled: it was placed to be processed at once.',
    ['rescheduleOrder'],
  ],
  order_not_modifiable: [400, 'The order was already sent to the laboratory.', ['rescheduleOrder']],
  transition_not_allowed: [
    400,
    'The order cannot change from its status to that one.',
    [
      ...['cancelOrder', 'updateFhirOrder', 'patchFhirOrder'],
      ...['completeDraw', 'acceptUnmatchedResult', 'resolveUnmatchedResult'],
    ],
  ],
  appointment_exists: [
    400,
    'The order has an active appointment, or its patient has one with this provider of phlebotomists.',
  ],
  wrong_collection_method: [
    400,
    'The order has another collection method.',
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
    'The order cannot reach the status from its current one.',
    ['simulateOrder'],
  ],
  match_review_disabled: [400, 'The team has no review queue.', REVIEW],
  undo_not_possible: [400, 'The decision can no longer be undone.', ['undoUnmatchedResult']],
  result_already_attached: [
    400,
    'The order already has this result or a later one.',
    ['acceptUnmatchedResult'],
  ],

  // Insurance
  payor_filter_required: [
    400,
    'Give insurance_name, or provider with provider_payor_id.',
    ['searchPayors', 'searchPayorsByBody'],
  ],
  guarantor_required: [
    400,
    'A guarantor is required unless relationship is Self.',
    ['createInsurance'],
  ],
  payor_not_found: [404, 'The payor is unknown, or belongs to another team.'],
  partner_not_configured: [
    400,
    'The operator has not configured the service that answers this.',
    ['lookUpPhysician', 'checkEligibility'],
  ],
  partner_unavailable: [
    502,
    'A service outside of Salus gave no usable answer; `reason` is one of `maintenance`, `rate_limited`, `unauthorized`, `refused`, `no_answer`, `server_error`, `malformed`.',
    ['lookUpPhysician', 'checkEligibility', 'loadCatalog'],
  ],
  npi_not_found: [404, 'The registry has no provider with this NPI.', ['lookUpPhysician']],
  insurance_not_found: [
    404,
    'The user has no such insurance.',
    ['getLatestInsurance', 'checkEligibility'],
  ],
  payor_not_reachable: [
    400,
    'The payor has no id at the clearing house that checks eligibility.',
    ['checkEligibility'],
  ],

  slot_in_past: [400, 'The slot has begun.', KEYED],
  invalid_booking_key: [
    400,
    'The booking key is malformed, expired, or does not belong to what is booked.',
    KEYED,
  ],
  site_not_found: [400, 'The laboratory does not have this site.', AT_SITE],
  site_inactive: [400, 'The site is closed.', AT_SITE],
  start_date_in_past: [400, 'The start_date is before today.', AVAILABILITY],
  site_or_zip_required: [400, 'Give site_codes or a zip_code.', ['getPscAppointmentAvailability']],
  radius_required: [
    400,
    'A search around a zip_code needs a radius.',
    ['getPscAppointmentAvailability'],
  ],
  too_many_sites: [400, 'Give at most three sites.', ['getPscAppointmentAvailability']],
  requisition_missing: [
    400,
    'The laboratory has no requisition yet, and the team does not allow early booking, or it is too late for it.',
    [...BOOK, ...MOVE],
  ],
  order_state: [
    400,
    'The status of the order or of its appointment does not allow this.',
    [...BOOK, ...MOVE, ...CANCEL],
  ],
  lab_not_schedulable: [
    400,
    'Appointments at the laboratory of the order cannot be booked with Salus.',
    ['bookPscAppointment'],
  ],
  area_not_served: [400, 'No provider of phlebotomists serves the address.', BOOK_PHLEBOTOMY],
  provider_not_requestable: [
    400,
    'The provider does not accept requests without a slot.',
    ['requestPhlebotomyAppointment'],
  ],
  booking_refused: [400, 'The provider refused the patient or the address.', [...BOOK, ...MOVE]],
  patient_too_young: [400, 'Phlebotomists do not visit patients under 18.', BOOK_PHLEBOTOMY],
  no_appointment: [400, 'The order has no appointment.', [...MOVE, ...CANCEL]],
  not_reschedulable: [400, 'The appointment cannot be rescheduled with Salus.', MOVE],
  appointment_closed: [
    400,
    'The appointment is completed or cancelled.',
    [...BOOK, ...MOVE, ...CANCEL],
  ],
  appointment_already_cancelled: [400, 'The appointment is already cancelled.', CANCEL],
  appointment_busy: [409, 'Another request is rescheduling the appointment. Try again.', MOVE],
  provider_unavailable: [
    502,
    'The provider of appointments does not answer. Send the same request again.',
    [...AVAILABILITY, ...BOOK, ...MOVE],
  ],
  slot_unavailable: [404, 'The slot is no longer available.', KEYED],
  no_slots_found: [404, 'No site that can be booked was found.', ['getPscAppointmentAvailability']],
  appointment_not_found: [
    404,
    'The order has no appointment.',
    ['getPhlebotomyAppointment', 'getPscAppointment'],
  ],
  cancellation_reason_not_found: [404, 'The reason is unknown.', CANCEL],

  // Lab reports
  unsupported_file_type: [400, 'A file is not PDF, JPEG or PNG.', ['createParsingJob']],
  content_type_mismatch: [
    400,
    'The content of a file does not match its Content-Type.',
    ['createParsingJob'],
  ],
  too_many_files: [400, 'A report has at most 8 files.', ['createParsingJob']],
  pdf_in_multi_upload: [
    400,
    'Several files must be images, which are the pages of one report.',
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
    'A file is larger than 10 MiB, or all files together are larger than 20 MiB.',
    ['createParsingJob'],
  ],
  human_review_not_enabled: [400, 'The team has no human review of reports.', ['createParsingJob']],
  sandbox_job_limit: [
    403,
    'The sandbox has reached its maximum number of parsing jobs.',
    ['createParsingJob'],
  ],
  job_not_completed: [
    409,
    'Only a completed job has the evidence of its results.',
    ['getParsingJobEvidence'],
  ],
  job_not_pending_review: [
    409,
    'The report is not pending review.',
    ['approveLabReport', 'rejectLabReport'],
  ],
  patient_not_confirmed: [
    409,
    'The patient of the report may not be the user for whom it was uploaded, and the reviewer did not confirm that the report belongs to this user.',
    ['approveLabReport'],
  ],
  job_not_found: [
    404,
    'There is no such parsing job, or it is not for review.',
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
    'The report has no such file, or its files were deleted.',
    ['getLabReportFile', 'getParsingJobFile', ...REPORT_PAGE],
  ],
  page_not_found: [404, 'The report has no such page.', REPORT_PAGE],

  user_not_found: [404, 'The user of the order, or of the report, is unknown.'],
  team_not_found: [404, 'The team is not the team of the key.', ['listTeamPhysicians']],
  lab_message_not_found: [404, 'The message is unknown.'],
  lab_connection_not_found: [404, 'The laboratory connection is unknown.'],
  outgoing_message_not_found: [404, 'The connection has sent no such message.'],
  saved_view_not_found: [404, 'The saved view is unknown.'],
  order_not_found: [404, 'The order is unknown.'],
  order_transaction_not_found: [404, 'The order transaction is unknown.'],
  kit_not_found: [404, 'No kit with this sample_id waits for its patient.', ['registerTestkit']],
  document_not_available: [404, 'The document does not exist, or is not available yet.'],
  results_not_available: [404, 'There is no result yet.'],
  result_version_not_found: [404, 'The result has no such version.'],
  rule_not_found: [404, 'The rule is unknown.'],
  rule_episode_not_found: [404, 'The episode of a rule is unknown.'],
  task_not_found: [404, 'The task is unknown.'],
  critical_result_task_not_found: [404, 'The task of a critical result is unknown.'],
  unmatched_result_not_found: [404, 'The result is unknown, or the team cannot review it.'],
  unmatched_result_test_not_found: [404, 'The run is unknown.', ['getUnmatchedResultTest']],
  lab_test_required: [
    400,
    'Several lab tests match. Name one of them.',
    ['createUnmatchedResultTest'],
  ],
  lab_test_unsuitable: [
    400,
    'The lab test is not suitable for the case.',
    ['createUnmatchedResultTest'],
  ],
  order_status_invalid: [400, 'An order does not have the status that the case needs.', RUN],
  orders_unsuitable: [400, 'The orders are not suitable for the case.', RUN],
  wrong_lab_test_required: [400, 'Name a lab test of another laboratory.', RUN],
  wrong_lab_test_unsuitable: [400, 'Both lab tests are of one laboratory.', RUN],
  unexpected_match: [400, 'The report was not held as the case expects.', RUN],

  // Management and webhooks
  team_id_taken: [409, 'This team id is in use.', ['createTeam']],
  integration_team_id_taken: [
    409,
    'Another team has this integration_team_id.',
    ['createTeam', 'updateTeam'],
  ],
  last_org_admin_key: [400, 'The last org_admin key cannot be deleted.', ['revokeManagementKey']],

  // Users of an organization, and their sign-in
  user_exists: [
    409,
    'The organization has a user with this e-mail address.',
    ['inviteOrganizationUser'],
  ],
  last_org_admin: [
    400,
    'The last org_admin cannot be removed, demoted or suspended.',
    ['updateOrganizationUser', 'removeOrganizationUser'],
  ],
  own_user: [
    400,
    'Another user has to change the role, the status or the access of a user.',
    [
      'updateOrganizationUser',
      'removeOrganizationUser',
      'createOrganizationInvitation',
      'resetOrganizationUserSecondFactor',
    ],
  ],
  user_suspended: [400, 'The user is suspended.', ['createOrganizationInvitation']],
  invalid_invitation: [
    400,
    'The invitation is unknown, used, revoked or expired.',
    [
      'getConsoleInvitation',
      'acceptConsoleInvitation',
      'createInvitationPasskeyChallenge',
      'acceptConsoleInvitationWithPasskey',
    ],
  ],
  invalid_credentials: [
    401,
    'The e-mail address or the password is not right, or the user is suspended.',
    ['signInToConsole'],
  ],
  second_factor_required: [
    401,
    'The user has a second factor; `methods` lists `totp` and `passkey`.',
    ['signInToConsole'],
  ],
  invalid_second_factor: [401, 'The code is not valid, or was used.', ['signInToConsole']],
  organization_required: [
    400,
    'The e-mail address and the password are right in several organizations, which `organizations` lists.',
    ['signInToConsole'],
  ],
  second_factor_setup_required: [
    403,
    'The organization requires a second factor, which the user of the session has not set up.',
    'paths under `/v1/org`, with a session of the console',
  ],
  recent_sign_in_required: [
    403,
    'The session began more than 15 minutes ago. Sign in again.',
    [
      'changeConsolePassword',
      'createConsoleTotp',
      'confirmConsoleTotp',
      'removeConsoleTotp',
      'createConsoleRecoveryCodes',
      'createConsolePasskeyChallenge',
      'createConsolePasskey',
      'removeConsolePasskey',
    ],
  ],
  wrong_password: [400, 'The current password is not right.', ['changeConsolePassword']],
  totp_exists: [400, 'The user has an authenticator app.', ['createConsoleTotp']],
  totp_required: [400, 'The user has no authenticator app.', ['createConsoleRecoveryCodes']],
  invalid_totp_code: [400, 'The code is not valid now, or was used.', ['confirmConsoleTotp']],
  last_second_factor: [
    400,
    'The organization requires a second factor, and the user has no other one.',
    ['removeConsoleTotp', 'removeConsolePasskey'],
  ],
  last_passkey: [
    400,
    'The user has no password, and this is their only passkey.',
    ['removeConsolePasskey'],
  ],
  passkeys_unavailable: [
    400,
    'The address of the console is an IP address, for which browsers know no passkeys.',
    [
      'createPasskeyChallenge',
      'signInToConsole',
      'createConsolePasskeyChallenge',
      'createConsolePasskey',
      'createInvitationPasskeyChallenge',
      'acceptConsoleInvitationWithPasskey',
    ],
  ],
  invalid_passkey: [
    400,
    'The answer of the authenticator is not valid, or its challenge was used or has expired.',
    ['signInToConsole', 'createConsolePasskey', 'acceptConsoleInvitationWithPasskey'],
  ],
  passkey_exists: [
    409,
    'The passkey is stored already.',
    ['createConsolePasskey', 'acceptConsoleInvitationWithPasskey'],
  ],
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
    'The order is a kit that is not registered yet, so it has no address to search around.',
    ['listServiceCentersOfOrder'],
  ],
  catalog_invalid: [400, 'The catalog has problems; nothing was loaded.', ['loadCatalog']],
  compendium_invalid: [
    400,
    'The mapping or the files of a compendium have problems; nothing was loaded.',
    ['loadCompendium'],
  ],
  compendium_retires_too_many: [
    400,
    'A compendium would retire more than a tenth of the tests; nothing was loaded.',
    ['loadCompendium'],
  ],
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
  not_dispatched: [409, 'The event was not sent for the first time yet.', ['resendEvent']],
  invalid_last_event_id: [
    400,
    'Last-Event-ID is not the id of an event of the stream.',
    ['followEvents'],
  ],
  unknown_position: [
    400,
    'The position is not one of this stream. Start without a position.',
    ['followEvents'],
  ],
} as const satisfies Record<string, ErrorRow>

export type ErrorType = keyof typeof ERROR_TYPES
export type ErrorStatus = (typeof ERROR_TYPES)[ErrorType][0]
/** Codes with this status. */
export type ErrorTypeOf<S extends ErrorStatus> = {
  [Code in ErrorType]: (typeof ERROR_TYPES)[Code][0] extends S ? Code : never
}[ErrorType]

/** Codes of the problems that a 422 lists, with their meanings. */
export const PROBLEM_TYPES = {
  // Shape
  missing: 'A required field is missing.',
  type: 'The value has the wrong type.',
  enum: 'The value is not one of those allowed.',
  format: 'The text does not have the required format.',
  email: 'The text is not an e-mail address.',
  uuid_parsing: 'The text is not a UUID.',
  date_parsing: 'The text is not a calendar date.',
  datetime_parsing: 'The text is not an ISO 8601 date-time.',
  time_zone: 'The text is not an IANA time zone.',
  url_parsing: 'The text is not a URL.',
  greater_than_equal: 'The number is too small.',
  less_than_equal: 'The number is too large.',
  too_short: 'The text or list is too short.',
  too_long: 'The text or list is too long.',
  password_too_common: 'The password is common, or easy to guess.',
  string_pattern_mismatch: 'The text does not match the pattern.',
  string_unicode: 'The text has a character that cannot be stored.',
  extra_forbidden: 'The field is not allowed here.',
  json_invalid: 'The body is not valid JSON.',
  json_too_deep: 'The body is nested too deeply.',
  anyOf: 'The value has none of the allowed shapes.',
  minProperties: 'The object has too few fields.',
  maxProperties: 'The object has too many fields.',

  // Rules of single fields
  string_length: 'The text is too short or too long, blanks at the ends not counted.',
  date_past: 'The date is in the future.',
  date_too_early: 'The date is too long ago.',
  date_too_late: 'The time is too far away.',
  date_future: 'The time is in the past.',
  date_range: 'The range ends before it starts.',
  exactly_one: 'Exactly one of two fields is required.',
  one_of: 'One of two fields is required.',
  duplicate: 'The entry occurs twice.',
  phone_number: 'The text is not a phone number.',
  npi: 'The text is not an NPI.',
  zip_mismatch: '`zip` and `zip_code` differ.',
  street_number: 'The street has no number.',
  invalid_url: 'The text is not a URL.',
  url_not_allowed: 'The URL is not one of those that the team allows.',
  https_required: 'The URL is not https.',
  credentials_in_url: 'The URL contains a user name or a password.',
  private_address: 'The URL points to a private address.',
  invalid_secret: 'The text is not a signing secret.',
  invalid_header: 'The name or value of a header is not allowed.',
  unknown_event_type: 'No event has this type.',
  unknown_provider: 'No provider has this slug.',
  resource_mismatch: 'The resource does not belong to the data type.',
  region_mismatch: 'The team is in another region.',
  bindings_not_allowed: 'An org_admin cannot have bindings.',
  unknown_markers: 'The report does not say which tests it is for.',
  order_not_taking_results: 'The order cannot receive results in its state.',
  order_of_other_user: 'The order does not belong to the user.',
  ambiguous: 'There is more than one possible target, or none.',
  provided_required: 'The case needs orders from the caller.',
  order_roles: 'The orders are not exactly those of the case.',

  invalid_config: 'The configuration cannot be used.',

  // Queries
  unknown_column: 'There is no such column, series or table.',
  cross_table: 'A query can only read one table.',
  where_syntax: 'The filter does not follow the grammar.',
  where_type: 'The filter compares different types.',
  invalid_function: 'The function does not accept this type.',
  invalid_group_key: 'There is no such group key.',
  multiple_date_trunc: 'There is more than one date_trunc.',
  invalid_source_rule: 'The sources of this table cannot be merged.',
  mixed_select: 'Rows and aggregates are selected together.',
  list_column: 'A list cannot be selected as it is.',
  invalid_subquery: 'The subquery is not valid.',
  invalid_align: 'The align is not valid for the query.',
  missing_group_key: 'A group key is not selected.',
  placeholder: 'A placeholder was left in the query.',
} as const

export type ProblemType = keyof typeof PROBLEM_TYPES
