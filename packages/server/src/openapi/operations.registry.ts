/**
 * Operations by address: the name of the method that a client has for it, verb and noun, and a
 * description where the route has none. A route may tell both itself, as `operationId` and
 * `description` of its schema; that wins. Operations of series follow a rule and need no row.
 *
 * Names are part of the contract: a generated client breaks when one changes.
 */
export const OPERATIONS: Readonly<Record<string, readonly [id: string, description?: string]>> = {
  // What a credential opens, and assistants
  'GET /v2/access': [
    'getAccess',
    'The team and environment, the one person that it reaches if it is limited to one, and whether it may change something.',
  ],
  'POST /mcp': [
    'callMcp',
    'Streamable HTTP of the Model Context Protocol, without sessions: a message of JSON-RPC, answered with one. Read-only tools over what the key or token opens.',
  ],

  // Users
  'POST /v2/user': [
    'createUser',
    'A person of the environment of the key. A client_user_id that is taken is refused, with the id of who has it.',
  ],
  'GET /v2/user': ['listUsers', 'Oldest first, in pages by offset and limit.'],
  'GET /v2/user/{user_id}': ['getUser', 'The person with all connections.'],
  'PATCH /v2/user/{user_id}': [
    'updateUser',
    'Changes what the body names; null takes a setting away.',
  ],
  'DELETE /v2/user/{user_id}': [
    'deleteUser',
    'The person is gone for readers at once, can be brought back for seven days, and is erased then.',
  ],
  'POST /v2/user/undo_delete': ['undoDeleteUser'],
  'POST /v2/user/refresh/{user_id}': ['refreshUser'],
  'GET /v2/user/metrics': [
    'getUserMetrics',
    'How many users, connections and ordered tests the environment has, and how connections grew by week.',
  ],
  'POST /v2/user/{user_id}/create_portal_url': ['createPortalUrl'],
  'GET /v2/team/svix/url': ['getWebhookPortal'],
  'GET /v2/team/users/search': [
    'searchUsers',
    'At most 50 users whose id begins so, or whose client_user_id has that part, in either case.',
  ],
  'POST /v2/user/search': [
    'findUsers',
    'People by parts of their client_user_id, name or e-mail address, and by their connections. What is looked for stays out of addresses.',
  ],
  'GET /v2/user/resolve/{client_user_id}': [
    'resolveUser',
    "Finds a person by the team's own id, exactly as it was given.",
  ],
  'PATCH /v2/user/{user_id}/info': [
    'updateUserInfo',
    'Replaces the demographics, which laboratories need to know of a patient.',
  ],
  'GET /v2/user/{user_id}/event_explanation': [
    'explainMissingEventOfUser',
    'The same as `explainMissingEvent`, by a key of the team.',
  ],
  'GET /v2/user/{user_id}/info/latest': [
    'getUserInfo',
    'The demographics as they were stored last; 404 when there are none.',
  ],

  // Person's rights
  'POST /v2/user/{user_id}/export': [
    'exportPerson',
    'Made in the background as one ZIP archive, which ends by itself after a week.',
  ],
  'GET /v2/user/{user_id}/export': ['listExports', 'Newest first, without those that have ended.'],
  'GET /v2/user/{user_id}/export/{export_id}': [
    'getExport',
    'How far it is: rows that were written, of all.',
  ],
  'DELETE /v2/user/{user_id}/export/{export_id}': [
    'deleteExport',
    'Before its time, with its file and its link.',
  ],
  'GET /v2/user/{user_id}/export/{export_id}/download': [
    'downloadExport',
    'The archive, whose SHA-256 the export tells.',
  ],
  'POST /v2/user/{user_id}/export/{export_id}/link': [
    'createExportLink',
    'Whoever has the link needs no key. A new one ends the one before.',
  ],
  'GET /export/{link_secret}': [
    'downloadExportByLink',
    'The archive, for whoever has the link, until it ends.',
  ],
  'POST /v2/user/{user_id}/erasure': [
    'erasePerson',
    'The person is gone for readers at once and erased in two minutes. Nothing brings them back.',
  ],
  'POST /v2/user/{user_id}/erasure/dry_run': [
    'tryErasure',
    'Counts what an erasure would remove now, and tells what would stay. Nothing is changed.',
  ],
  'GET /v2/erasure': ['listErasures', 'Also those of people whose week after a delete was over.'],
  'GET /v2/erasure/{erasure_id}': [
    'getErasure',
    'Once it is completed, with the signed receipt of what was removed where.',
  ],
  'GET /receipt_keys': [
    'listReceiptKeys',
    'Whoever has a receipt verifies it with these, at any time and without Salus.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/legal_hold': [
    'listLegalHolds',
    'At most 500, also those that were released.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/legal_hold': [
    'placeLegalHold',
    'Until it is released nothing of the person is removed: no delete, no erasure, no retention.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/legal_hold/{hold_id}/release': [
    'releaseLegalHold',
    'What waited for it goes on with the next run of its job.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/retention': [
    'getRetentionRules',
    'What has no rule is kept for good.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/retention/resource': [
    'listRetainedResources',
    'With the fewest and the most days that a rule may have.',
  ],
  'PUT /v1/org/{org_id}/team/{team_id}/{env}/retention': [
    'replaceRetentionRules',
    'They are applied once a day. Rules that the body does not name end.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/retention/dry_run': [
    'tryRetentionRules',
    'Counts what the rules of the body would remove now. Nothing is changed.',
  ],

  // Connections
  'GET /v2/providers': [
    'listProviders',
    'What can be connected, with the resources that each has and the way to sign in.',
  ],
  'POST /v2/link/provider/manual/{provider}': ['createManualConnection'],
  'POST /v2/link/token': ['createLinkToken'],
  'POST /v2/link/token/isValid': ['checkLinkToken'],
  'POST /v2/link/start': ['startLink'],
  'GET /v2/link/state': ['getLinkState', 'How far the sign-in has come, also after it has ended.'],
  'GET /v2/link/providers': [
    'listLinkProviders',
    'Cloud providers that the deployment connects, by name, with what each asks of the person.',
  ],
  'GET /v2/team/link/config': [
    'getLinkConfig',
    'Whom the person is about to give access, and the providers to choose from.',
  ],
  'GET /v2/link/provider/oauth/{oauth_provider}': [
    'startOAuthLink',
    'Brings the address to send the person to, who comes back by way of this server.',
  ],
  'GET /v2/link/connect/{provider}': ['finishOAuthLink'],
  'POST /v2/link/provider/password/{provider}': ['connectByPassword'],
  'POST /v2/link/provider/password/{provider}/complete_mfa': ['completeMfa'],
  'POST /v2/link/provider/email/{provider}': ['connectByEmail'],
  'POST /v2/link/auth': ['connectByPasswordOld'],
  'POST /v2/link/auth/email': ['connectByEmailOld'],
  'POST /v2/link/bulk_import': [
    'importConnections',
    'Makes connections from tokens that another service got. People that are not known are among those that failed.',
  ],
  'POST /v2/link/bulk_export': ['exportConnections'],
  'POST /v2/link/bulk_pause': [
    'pauseConnections',
    'Nothing is asked of the provider any more until the person connects again or is imported.',
  ],
  'POST /v2/link/bulk_trigger_historical_pull': [
    'triggerHistoricalPulls',
    'At the pace that the provider allows. People that are not connected are passed over.',
  ],
  'POST /v2/link/connect/demo': [
    'connectDemo',
    'Thirty days of a made-up person come at once, and further ones with the time.',
  ],
  'GET /v2/link/bulk_op': [
    'listBulkOperations',
    'Imports and pulls of many people, with how far each has come.',
  ],
  'GET /v2/user/providers/{user_id}': [
    'listUserConnections',
    'What the person is connected to, with the state of each connection and of each of its resources.',
  ],
  'DELETE /v2/user/{user_id}/{provider}': ['deleteConnection'],
  'GET /v2/user/{user_id}/device': [
    'listUserDevices',
    'Devices that uploads and imports have named.',
  ],
  'GET /v2/user/{user_id}/device/{device_id}': [
    'getUserDevice',
    'A device that uploads or imports have named.',
  ],

  // Mobile
  'POST /v2/user/{user_id}/sign_in_token': [
    'createSignInToken',
    'The server of the team asks for it and hands it to its app, once for an installation. It is good for ten minutes and one sign-in.',
  ],
  'DELETE /v2/user/{user_id}/mobile_session': [
    'endMobileSessions',
    'Ends the sessions of all apps of the person, with their access tokens, at once, and link codes that were not used yet. The person signs in again. For a phone that was lost. A sign-in token that was made in the last ten minutes stays good.',
  ],
  'POST /v1/token': [
    'exchangeToken',
    'Takes a sign-in token or a refresh token, as a form, and gives an access token for an hour and the next refresh token. A lost answer is given again for 60 seconds. Of a refusal `error_type` is all there is: at `invalid_token` the app forgets its session, at `reauthentication_required` it keeps its data and needs a new sign-in token.',
  ],
  'POST /v2/link/code/create': [
    'createLinkCode',
    'A short code by which a companion app signs in for the person, once; for an hour, or until `expires_at`, at most 30 days away.',
  ],
  'POST /v2/link/code/exchange': [
    'exchangeLinkCode',
    'Takes a link code, once, and gives the person, a sign-in token and how the team is called.',
  ],
  'POST /v2/user/{user_id}/revoke_app_api_key': [
    'revokeAppApiKey',
    'Has no effect: companion apps call it when they sign out, and hold no key of the team.',
  ],
  'POST /v2/user/{user_id}/sdk_sync_state/{provider}': [
    'getSdkSyncState',
    'Whether a phone may synchronize, what range, and when to ask again. The zone of the device becomes the fallback of the person, unless one was set by hand.',
  ],
  'POST /v2/user/{user_id}/sdk_start_historical_stage/{provider}': [
    'startSdkHistoricalStage',
    'The history of the resource is in progress from here on, until an upload says that it is the last of it.',
  ],
  'POST /v2/user/{user_id}/sdk_sync_progress/{provider}': [
    'reportSdkSyncProgress',
    'The latest report of each person and provider is kept, for whoever looks why data are late.',
  ],

  // Ingestion
  'GET /v2/user/{user_id}/put_aside': [
    'listPutAsideItems',
    'Items of uploads that were not stored, newest first, each as it came and with the reason.',
  ],
  'POST /v2/summary/activity/{user_id}': ['uploadActivities'],
  'POST /v2/summary/body/{user_id}': ['uploadBodyMeasurements'],
  'POST /v2/summary/sleep/{user_id}': ['uploadSleeps'],
  'POST /v2/summary/workouts/{user_id}': ['uploadWorkouts'],
  'POST /v2/summary/meal/{user_id}': ['uploadMeals'],
  'POST /v2/summary/menstrual_cycle/{user_id}': ['uploadMenstrualCycles'],
  'POST /v2/summary/electrocardiogram/{user_id}': ['uploadElectrocardiograms'],
  'POST /v2/summary/profile/{user_id}': ['uploadProfile'],

  // Imports
  'POST /v2/user/{user_id}/import/apple_health': ['importAppleHealth'],
  'GET /v2/user/{user_id}/import': [
    'listImports',
    'Jobs that read export files of the person, with how far each has come.',
  ],
  'GET /v2/user/{user_id}/import/{job_id}': [
    'getImport',
    'How far the job has come; once it has ended, what was stored, put aside and not understood.',
  ],

  'GET /v2/timeseries/{user_id}/charts': [
    'listCharts',
    'Series of numbers of which the person has samples, with the first and the last.',
  ],

  // Summaries
  'GET /v2/summary/activity/{user_id}': ['listActivities'],
  'GET /v2/summary/activity/{user_id}/merged': ['getMergedActivities'],
  'GET /v2/summary/activity/{user_id}/raw': [
    'listRawActivities',
    'Days of activity with the fields that the provider sent, of each provider by itself.',
  ],
  'GET /v2/summary/body/{user_id}': ['listBodyMeasurements'],
  'GET /v2/summary/body/{user_id}/raw': [
    'listRawBodyMeasurements',
    'Body measurements with the fields that the provider sent, of each provider by itself.',
  ],
  'GET /v2/summary/sleep/{user_id}': ['listSleeps'],
  'GET /v2/summary/sleep/{user_id}/raw': [
    'listRawSleeps',
    'Sleeps with the fields that the provider sent, of each provider by itself.',
  ],
  'GET /v2/summary/sleep_cycle/{user_id}': ['listSleepCycles'],
  'GET /v2/summary/workouts/{user_id}': ['listWorkouts'],
  'GET /v2/summary/workouts/{user_id}/raw': [
    'listRawWorkouts',
    'Workouts with the fields that the provider sent, of each provider by itself.',
  ],
  'GET /v2/summary/meal/{user_id}': ['listMeals'],
  'GET /v2/summary/menstrual_cycle/{user_id}': ['listMenstrualCycles'],
  'GET /v2/summary/electrocardiogram/{user_id}': ['listElectrocardiograms'],
  'GET /v2/summary/profile/{user_id}': [
    'getProfile',
    'What providers know of the person, such as height and birth date; the newest of all providers.',
  ],
  'GET /v2/summary/profile/{user_id}/raw': [
    'getRawProfile',
    'The profile with the fields that the provider sent.',
  ],
  'GET /v2/summary/devices/{user_id}/raw': [
    'listRawDevices',
    'Devices with the fields that the provider sent.',
  ],
  'GET /v2/timeseries/workouts/{workout_id}/stream': [
    'getWorkoutStream',
    'What was measured during the workout, as lists of one length: the times and the values at them.',
  ],
  'GET /v2/timeseries/sleep/{sleep_id}/stream': [
    'getSleepStream',
    'What was measured during the sleep: heart rate, its variability, respiratory rate, the stages.',
  ],

  // Source priorities
  'GET /v2/team/source/priorities': [
    'listTeamSourcePriorities',
    'For each type of data the providers of the team, the larger number first. Users may differ.',
  ],
  'PATCH /v2/team/source/priorities': ['updateTeamSourcePriorities'],
  'GET /v2/user/{user_id}/source_priorities': ['getUserSourcePriorities'],
  'PUT /v2/user/{user_id}/source_priorities': [
    'replaceUserSourcePriorities',
    'The whole list of the person; an empty list gives the priorities of the team back.',
  ],

  // Introspection
  'GET /v2/introspect/historical_pull': [
    'listHistoricalPulls',
    'For each connection and resource, whether its history has come, and from which time to which.',
  ],
  'GET /v2/introspect/resources': [
    'listResourceStatistics',
    'For each connection and resource, how much has come, the oldest and the newest of it.',
  ],

  // Queries
  'POST /aggregate/v1/user/{user_id}/query': ['queryUserData'],
  'GET /aggregate/v1/table': [
    'listQueryTables',
    'Tables of summaries and series with their columns, the same for every team.',
  ],
  'GET /aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/result_table': [
    'getContinuousQueryResultTable',
  ],
  'GET /aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/task_history': [
    'listContinuousQueryTasks',
    'When the query was evaluated for the person, and how that ended.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/continuous_query': [
    'listContinuousQueries',
    'Of one environment of a team, in pages.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/continuous_query': ['createContinuousQuery'],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/validate_continuous_query': [
    'validateContinuousQuery',
    'Says what is wrong with it, or which columns its results have.',
  ],
  'PATCH /v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id}': [
    'updateContinuousQuery',
  ],
  'DELETE /v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id}': [
    'archiveContinuousQuery',
  ],

  // Appointments
  'GET /v3/order/area/info': [
    'getAreaInfo',
    'Who comes to patients of a ZIP code, and which laboratories have service centers around it.',
  ],
  'GET /v3/order/psc/info': [
    'listServiceCenters',
    'The nearest 30 sites of a laboratory around a ZIP code. The header `x-salus-warning` tells when there can be none.',
  ],
  'GET /v3/order/{order_id}/psc/info': [
    'listServiceCentersOfOrder',
    "The nearest 30 sites of the order's laboratory around the patient's ZIP code.",
  ],

  'POST /v3/order/phlebotomy/appointment/availability': [
    'getPhlebotomyAppointmentAvailability',
    'Of 14 local days, each with the slots that can be booked. Where nobody comes the days are empty.',
  ],
  'POST /v3/order/{order_id}/phlebotomy/appointment/book': [
    'bookPhlebotomyAppointment',
    "At the address of the order. The key tells the slot and whose it is; it is one of the ZIP code of the order's patient.",
  ],
  'POST /v3/order/{order_id}/phlebotomy/appointment/request': [
    'requestPhlebotomyAppointment',
    'Of a provider that sets the time itself, and tells it later. The appointment is pending until then.',
  ],
  'PATCH /v3/order/{order_id}/phlebotomy/appointment/reschedule': [
    'reschedulePhlebotomyAppointment',
    'To another slot of the same provider.',
  ],
  'PATCH /v3/order/{order_id}/phlebotomy/appointment/cancel': [
    'cancelPhlebotomyAppointment',
    'Free of charge until 24 hours before the start.',
  ],
  'GET /v3/order/phlebotomy/appointment/cancellation-reasons': [
    'listPhlebotomyAppointmentCancellationReasons',
    'Their ids never change.',
  ],
  'GET /v3/order/{order_id}/phlebotomy/appointment': [
    'getPhlebotomyAppointment',
    'The active one, or the newest when none is active.',
  ],
  'POST /v3/order/psc/appointment/availability': [
    'getPscAppointmentAvailability',
    'Of 14 local days of each site: of the sites that are named, or of the three nearest to a ZIP code.',
  ],
  'POST /v3/order/{order_id}/psc/appointment/book': [
    'bookPscAppointment',
    'A laboratory that is slow is waited for, or answers later: `async_confirmation`. An idempotency key makes a repeat safe.',
  ],
  'PATCH /v3/order/{order_id}/psc/appointment/reschedule': [
    'reschedulePscAppointment',
    'To another slot, also at another site of the laboratory.',
  ],
  'PATCH /v3/order/{order_id}/psc/appointment/cancel': [
    'cancelPscAppointment',
    'The body is in camelCase; snake_case is taken too.',
  ],
  'GET /v3/order/psc/appointment/cancellation-reasons': [
    'listPscAppointmentCancellationReasons',
    'Their ids never change.',
  ],
  'GET /v3/user/{user_id}/appointment': [
    'listAppointments',
    'Of all orders, the one that was made last first, cancelled ones included.',
  ],
  'GET /v3/order/{order_id}/psc/appointment': [
    'getPscAppointment',
    'The active one, or the newest when none is active.',
  ],

  // Lab tests
  'GET /v3/lab_tests/labs': [
    'listLabs',
    'Laboratories of the catalog, with their ways of collecting and their samples.',
  ],
  'GET /v3/lab_test/lab_account': [
    'listLabAccounts',
    'Accounts at laboratories that the team may order under.',
  ],
  'GET /v3/lab_test': [
    'listLabTests',
    'What can be ordered, in pages, by markers, laboratory, method, status or name.',
  ],
  'GET /v3/lab_tests': ['listLabTestsUnpaged'],
  'POST /v3/lab_tests': [
    'createLabTest',
    'A lab test of chosen markers of one laboratory. It may need the approval of the operator.',
  ],
  'GET /v3/lab_tests/{lab_test_id}': [
    'getLabTest',
    'A lab test with its markers and the laboratory that does it.',
  ],
  'PATCH /v3/lab_tests/{lab_test_id}': [
    'updateLabTest',
    'An archived lab test cannot be ordered; orders that have it go on.',
  ],
  'GET /v3/lab_tests/{lab_test_id}/markers': [
    'listLabTestMarkers',
    'With the results that each marker is expected to have, and the questions at order entry.',
  ],
  'GET /v3/lab_tests/markers': [
    'listMarkers',
    'Markers of all laboratories, in pages, by name or laboratory.',
  ],
  'POST /v3/lab_tests/list_order_set_markers': [
    'listOrderSetMarkers',
    'Each marker once, whichever lab tests of the set have it.',
  ],
  'GET /v3/lab_tests/{lab_id}/markers/{provider_id}': [
    'getMarkerByProviderId',
    'A marker as the laboratory calls it.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/lab_test/{lab_test_id}/approve': [
    'approveLabTest',
    'Lets a lab test that the team made be ordered.',
  ],

  // Compendium
  'POST /v3/compendium/search': ['searchCompendium'],
  'POST /v3/compendium/convert': ['convertCompendium'],
  'POST /v3/compendium/search_orderable_tests': [
    'searchOrderableTests',
    'For each code the closest tests of the laboratory that is asked for.',
  ],

  // Insurance
  'POST /v2/user/{user_id}/insurance': [
    'createInsurance',
    'The newest primary one is billed. What was stored before stays as it is.',
  ],
  'GET /v2/user/{user_id}/insurance': [
    'listInsurance',
    'Everything that was ever added, with which of it is billed.',
  ],
  'GET /v2/user/{user_id}/insurance/latest': [
    'getLatestInsurance',
    'The one that was added last, with the name and address of its payor.',
  ],
  'GET /v3/insurance/search/payor': [
    'searchPayors',
    'By name, typing errors forgiven, or by the id that a clearing house knows the payor by. The best match is first.',
  ],
  'POST /v3/insurance/search/payor': [
    'searchPayorsByBody',
    'As the search by parameters, which is the one to use.',
  ],
  'POST /v3/payor': [
    'createPayor',
    'For an insurer that the search does not find. Adding the same one again gives the one that is there.',
  ],
  'GET /v3/insurance/search/diagnosis': [
    'searchDiagnoses',
    'Codes of ICD-10-CM that are valid for claims, best match first: by code, with or without the dot, by the beginning of one, or by words of the description, whose spelling is forgiven. At most 100.',
  ],
  'POST /v3/insurance/validate_icd_codes': [
    'validateIcdCodes',
    'Tells codes that claims cannot have, pairs that exclude each other, and pairs that overlap.',
  ],

  // Orders
  'POST /v3/order': [
    'createOrder',
    'Checks the order, stores it, and hands it over to the laboratory in the background. An idempotency key makes a repeat safe.',
  ],
  'POST /v3/order/create': ['createOrReplaceOrder'],
  'POST /v3/order/validate': ['validateOrder'],
  'POST /v3/order/import': [
    'importOrder',
    'Keeps an order that the laboratory has already, so that its results find a place.',
  ],
  'POST /v3/order/testkit': [
    'createTestkitOrder',
    'A kit is sent to the address. Who uses it is told when the kit is registered.',
  ],
  'POST /v3/order/testkit/register': [
    'registerTestkit',
    'Tells whose sample the kit will hold, with the consents.',
  ],
  'GET /v3/orders': [
    'listOrders',
    'In pages, by any of the filters together, with the exact number of all that fit.',
  ],
  'GET /v3/order/{order_id}': ['getOrder', 'The order with every event of its way.'],
  'GET /v3/order/{order_id}/transition': [
    'listOrderTransitions',
    'The statuses that the order may take next with what brings each about, and what the team may ask of it.',
  ],
  'PATCH /v3/order/{order_id}': [
    'rescheduleOrder',
    'Moves the day on which an order that waits is handed over.',
  ],
  'GET /v3/order_transaction/{transaction_id}': [
    'getOrderTransaction',
    'The orders of one need: the first, its replacements and its redraws.',
  ],
  'GET /v2/team/{team_id}/physicians': [
    'listTeamPhysicians',
    'Physicians who ordered for the team, and whom the operator gave it, by name.',
  ],
  'POST /v3/order/{order_id}/cancel': ['cancelOrder', 'As long as the laboratory has not begun.'],
  'PATCH /v3/order/{order_id}/draw_completed': [
    'completeDraw',
    'For orders that are drawn on site.',
  ],
  'POST /v3/order/resend_events': [
    'resendOrderEvents',
    'For orders by id, or for those that changed within a time of at most 60 days.',
  ],
  'GET /v3/order/{order_id}/communication_settings': [
    'getOrderCommunicationSettings',
    'Whether the patient gets text messages about the order.',
  ],
  'PATCH /v3/order/{order_id}/communication_settings': [
    'updateOrderCommunicationSettings',
    'Whether the patient gets text messages about the order.',
  ],

  'GET /v1/org/{org_id}/team/{team_id}/{env}/saved_view': [
    'listSavedViews',
    'Filters of the list of orders under a name, which everybody shares who looks after the environment.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/saved_view': [
    'createSavedView',
    'The filters hold ids, choices and dates, and nothing of a person. At most 100 in an environment.',
  ],
  'PATCH /v1/org/{org_id}/team/{team_id}/{env}/saved_view/{view_id}': [
    'updateSavedView',
    'Gives a view another name, other filters, or both.',
  ],
  'DELETE /v1/org/{org_id}/team/{team_id}/{env}/saved_view/{view_id}': [
    'deleteSavedView',
    'For everybody who shares it.',
  ],

  // Documents
  'GET /v3/order/{order_id}/requisition/pdf': [
    'getOrderRequisition',
    'What the patient takes to the laboratory.',
  ],
  'GET /v3/order/{order_id}/abn_pdf': [
    'getOrderAbn',
    'The advance beneficiary notice, for the patient to sign; 404 when the order needs none.',
  ],
  'GET /v3/order/{order_id}/collection_instruction_pdf': [
    'getOrderCollectionInstructions',
    'How to take the sample of the order.',
  ],
  'GET /v3/order/{order_id}/labels/pdf': [
    'getOrderLabels',
    'Labels for the tubes of a draw on site.',
  ],
  'GET /v3/user/{user_id}/document': [
    'listDocuments',
    'Every document that can be read now, of orders and of reports that were uploaded, newest first. Tube labels are not among them: they need the time of collection.',
  ],
  'GET /v3/lab_test/{lab_test_id}/collection_instruction_pdf': [
    'getLabTestCollectionInstructions',
    'How to take the sample of the lab test.',
  ],

  // Results
  'GET /v3/order/{order_id}/result': ['getOrderResult'],
  'GET /v3/order/{order_id}/result/metadata': [
    'getOrderResultMetadata',
    'Patient, laboratory, sample and dates, without the values.',
  ],
  'GET /v3/order/{order_id}/result/version': ['listOrderResultVersions'],
  'GET /v3/order/{order_id}/result/pdf': [
    'getOrderResultReport',
    'As the laboratory sent it, or made of its results.',
  ],
  'GET /v3/order_transaction/{transaction_id}/result': ['getOrderTransactionResult'],
  'GET /v3/order_transaction/{transaction_id}/result/pdf': [
    'getOrderTransactionResultReport',
    'One document of all reports.',
  ],
  'GET /v3/user/{user_id}/result': [
    'listPersonResults',
    'Of orders and of reports that were read, newest first; the newest version of each order.',
  ],
  'GET /v3/user/{user_id}/result/trend': [
    'getResultTrend',
    'All results that measure the same as the code does, by whatever method, from orders and reports, in one unit. Mass and amount of substance become each other where laboratories agree on the weight: phosphate as phosphorus, urea nitrogen as nitrogen, hemoglobin as its subunits.',
  ],

  // Unmatched results
  'GET /v3/unmatched_result': [
    'listUnmatchedResults',
    'In pages, by state, reason, laboratory, time, or the patient that the laboratory names.',
  ],
  'GET /v3/unmatched_result/{raw_result_id}': [
    'getUnmatchedResult',
    'With the orders that it may belong to, and what speaks for each.',
  ],
  'POST /v3/unmatched_result/{raw_result_id}/accept': ['acceptUnmatchedResult'],
  'POST /v3/unmatched_result/{raw_result_id}/resolve': [
    'resolveUnmatchedResult',
    'A rejected result is kept, and can be taken up again for a while.',
  ],
  'POST /v3/unmatched_result/{raw_result_id}/undo': ['undoUnmatchedResult'],
  'GET /v3/unmatched_result_test/case': [
    'listUnmatchedResultTestCases',
    'With the orders that each needs.',
  ],
  'POST /v3/unmatched_result_test': ['createUnmatchedResultTest'],
  'GET /v3/unmatched_result_test/{run_id}': [
    'getUnmatchedResultTest',
    'Once it has come, with the id of the unmatched result.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/unmatched_result': [
    'listHeldResults',
    'Newest first, with the orders that each may belong to.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/unmatched_result/{id}/hand_over': [
    'handOverUnmatchedResult',
    'The team then sees it among those that await its decision.',
  ],

  // Lab reports
  'POST /lab_report/v1/parser/job': [
    'createParsingJob',
    'A PDF, or JPEG and PNG images that are the pages of one report. It is read on this machine, in the background; read the job, or wait for its webhook. A report that may be of another person than the user waits for a reviewer.',
  ],
  'GET /lab_report/v1/parser/job': [
    'listParsingJobs',
    'Without what was read; that is in each job.',
  ],
  'GET /lab_report/v1/parser/job/{job_id}': [
    'getParsingJob',
    'The state of the job, and the results once it is completed.',
  ],
  'DELETE /lab_report/v1/parser/job/{job_id}': [
    'deleteParsingJob',
    'With its files and results, in whatever state it is; what is being read then comes to nothing.',
  ],
  'GET /lab_report/v1/parser/job/{job_id}/file/{number}': [
    'getParsingJobFile',
    'As it was uploaded, until it is deleted.',
  ],
  'GET /lab_report/v1/parser/job/{job_id}/evidence': [
    'getParsingJobEvidence',
    'For every field page, place and confidence, to be drawn on the page as it was uploaded.',
  ],
  'GET /lab_report/v1/parser/job/{job_id}/page/{number}': [
    'getParsingJobPage',
    'Rendered when it is asked for; what evidence says of places is in parts of it. For as long as files are kept.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review': [
    'listLabReportReviews',
    'Newest first; those that were reviewed by their status of today.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}': [
    'getLabReportReview',
    'The reading of the machine with places and confidences, and what reviewers corrected.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/file/{number}': [
    'getLabReportFile',
    'For as long as files are kept.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/page/{number}': [
    'getLabReportPage',
    'Rendered when it is asked for; what evidence says of places is in parts of it.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/approve': [
    'approveLabReport',
    'The job is completed with the corrected values; what the machine read stays beside them. A report that may be of another person needs `patient_confirmed`.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/reject': [
    'rejectLabReport',
    'The job fails; nothing of what was read is shown to the team.',
  ],

  // Sandbox
  'GET /v1/org/{org_id}/team/{team_id}/{env}/lab_message': ['listLabMessages'],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}': ['getLabMessage'],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/retry': ['retryLabMessage'],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/discard': [
    'discardLabMessage',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/stuck_order': ['listStuckOrders'],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/stuck_order/{order_id}/retry': ['retryStuckOrder'],
  'GET /v3/order/{order_id}/test': [
    'listSimulationTargets',
    'The statuses that simulating can lead the order to from where it is.',
  ],
  'POST /v3/order/{order_id}/test': [
    'simulateOrder',
    'Takes the order step by step to the status that is asked for, or to its results.',
  ],
  'GET /v3/sandbox/clock': [
    'getSandboxClock',
    'How far the time of the sandbox is ahead of the real time.',
  ],
  'POST /v3/sandbox/advance': ['advanceSandboxClock'],

  // Webhooks
  'GET /v1/org/{org_id}/team/{team_id}/{env}/webhook': [
    'listWebhooks',
    'Endpoints of one environment of a team.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/webhook': [
    'createWebhook',
    'An address that events are sent to, signed. Its secret is read separately.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}': [
    'getWebhook',
    'With its filters, and since when and why it is disabled.',
  ],
  'PATCH /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}': ['updateWebhook'],
  'DELETE /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}': [
    'deleteWebhook',
    'What waited to be sent there is not sent any more.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers': [
    'getWebhookHeaders',
    'Headers that every message to the endpoint carries.',
  ],
  'PUT /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers': [
    'replaceWebhookHeaders',
    'All of them; what the body does not name is gone.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret': [
    'getWebhookSecret',
    'To verify messages with. Whoever has it can make messages that look genuine.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret/rotate': [
    'rotateWebhookSecret',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/event': ['listEvents'],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/event/{event_id}': [
    'getEvent',
    'The event as endpoints get it, and the state of each delivery.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/event_explanation': [
    'explainMissingEvent',
    'What keeps an event of a type about a person from being raised or delivered today, and the last one that there was.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/event_type': [
    'listEventTypes',
    'Every type that can come, with the JSON Schema of its data.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/event/{event_id}/attempt': [
    'listEventAttempts',
    'At all endpoints, with status and duration.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/attempt': [
    'listWebhookAttempts',
    'Of all events, with status and duration.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/event/{event_id}/resend': [
    'resendEvent',
    'Whatever became of it before.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/recover': ['recoverWebhook'],
  'POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/send_example': [
    'sendWebhookExample',
    'To try an endpoint out. Nothing of it is about a person.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/event_stream': ['followEvents'],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/webhook_status': [
    'listWebhookStatus',
    'Pending messages, retries, successes and failures, and how long they take.',
  ],

  // Operation
  'GET /v1/operation/status': [
    'getOperationStatus',
    'Of the process that answers, and of the stores that all processes share. Needs an operator.',
  ],
  'GET /v1/operation/delivery': [
    'getDeliveryStatus',
    'Over the endpoints of all teams. Needs an operator.',
  ],
  'GET /v1/operation/provider': ['listProviderStatus', 'Of all teams together. Needs an operator.'],
  'GET /v1/operation/job_kind': ['listJobKinds', 'Of the whole installation. Needs an operator.'],
  'GET /v1/operation/job': [
    'listJobs',
    'Never with what a job was given, which may be about a person. Needs an operator.',
  ],
  'POST /v1/operation/job/retry': ['retryJobs'],
  'GET /v1/operation/audit_log': [
    'listAuditLog',
    'Who did what, by which route, and what came of it; never the content. Needs an operator.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/{env}/audit_log': ['listEnvironmentAuditLog'],

  // Team
  'GET /v2/team/{team_id}': [
    'getOwnTeam',
    'Kept for clients that read it; better: `getTeam` of the management API.',
  ],

  // Console
  'POST /v1/console/session': [
    'signInToConsole',
    'Answers with the cookie of a session, which the management API takes in place of the key. Needs the header `x-salus-console: 1`, as everything that is sent with the cookie.',
  ],
  'GET /v1/console/sign_in_methods': [
    'listConsoleSignInMethods',
    'What the sign-in page offers beside a management key.',
  ],
  'GET /v1/console/session': [
    'getConsoleSession',
    'As what, with which rights, and until when; 401 when nobody is.',
  ],
  'DELETE /v1/console/session': [
    'signOutOfConsole',
    'Ends the session and the access tokens that it minted.',
  ],
  'GET /v1/org/{org_id}/console_session': [
    'listConsoleSessions',
    'Sessions as keys that are no stronger than the calling one, the newest first, at most 500.',
  ],
  'DELETE /v1/org/{org_id}/console_session': [
    'endOtherConsoleSessions',
    'Of a session that asks, all but itself; of a key that asks, all.',
  ],
  'DELETE /v1/org/{org_id}/console_session/{session_id}': [
    'endConsoleSession',
    'Whoever is signed in so has to sign in again.',
  ],

  // Management
  'GET /v1/org/{org_id}': ['getOrganization', 'The organization of the calling key.'],
  'PATCH /v1/org/{org_id}': ['updateOrganization', 'Needs the role org_admin.'],
  'GET /v1/org/{org_id}/team': ['listTeams', 'Those that the calling key may use, in pages.'],
  'POST /v1/org/{org_id}/team': [
    'createTeam',
    'Settings in the body count for both environments. Needs the role org_admin.',
  ],
  'POST /v1/org/{org_id}/resolve_team': [
    'resolveTeam',
    'For operators who know teams by the ids of another system.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}': [
    'getTeam',
    'With the settings of the environments that are asked for.',
  ],
  'PATCH /v1/org/{org_id}/team/{team_id}': ['updateTeam', 'Changes what the body names.'],
  'DELETE /v1/org/{org_id}/team/{team_id}': [
    'deleteTeam',
    'Its keys end at once. Needs the role org_admin.',
  ],
  'GET /v1/org/{org_id}/team_api_keys/{env}/{region}': [
    'listTeamApiKeys',
    'Of one environment, with their values masked.',
  ],
  'POST /v1/org/{org_id}/team_api_keys/{env}/{region}': [
    'createTeamApiKey',
    'Salus keeps only a hash of the value. To rotate a key, create one and then revoke the other.',
  ],
  'DELETE /v1/org/{org_id}/team_api_keys/{env}/{region}': [
    'revokeTeamApiKeys',
    'Says of each id whether it was revoked, failed, or was not found.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/create_api_access_token': [
    'createTeamAccessToken',
    'A bearer token that works like a key of the team, or for one person, or only for reading.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/create_access_token': [
    'createTeamAccessTokenAlias',
    'The same as `createTeamAccessToken`, under a name that guides also use.',
  ],
  'GET /v1/org/{org_id}/demo_team': [
    'getDemoTeam',
    'Which step the filling is at, and whom there is to look at already.',
  ],
  'POST /v1/org/{org_id}/demo_team': [
    'fillDemoTeam',
    'Makes a team with made-up people, data, orders and reports, in the background. Of one that is there it says how far it is; one that failed is removed and made anew.',
  ],
  'DELETE /v1/org/{org_id}/demo_team': [
    'removeDemoTeam',
    'The team and its people are gone at once, and erased as all deleted people are.',
  ],
  'GET /v1/org/{org_id}/management_key': ['listManagementKeys', 'Without their values, in pages.'],
  'POST /v1/org/{org_id}/management_key': [
    'createManagementKey',
    'A key can make none that reaches further than itself.',
  ],
  'PATCH /v1/org/{org_id}/management_key/{key_id}': [
    'updateManagementKey',
    'Changes what the body names.',
  ],
  'DELETE /v1/org/{org_id}/management_key/{key_id}': [
    'revokeManagementKey',
    'It ends at once. The last key with the role org_admin stays.',
  ],
  'GET /v1/org/{org_id}/team_etl_pipelines/{env}/{region}': [
    'listTeamPipelines',
    'What of the data of a team is sent as events, and how.',
  ],
  'POST /v1/org/{org_id}/team_etl_pipelines/{env}/{region}': [
    'updateTeamPipelines',
    'The same change for every team that the body names.',
  ],
  'DELETE /v1/org/{org_id}/team_etl_pipelines/{env}/{region}': [
    'resetTeamPipelines',
    'For every team that the query names.',
  ],
  'GET /v1/org/{org_id}/team/{team_id}/scope_requirements': [
    'getScopeRequirements',
    'Scopes of providers without which the team wants no connection, and those it asks for besides.',
  ],
  'POST /v1/org/{org_id}/team/{team_id}/scope_requirements': [
    'updateScopeRequirements',
    'Replaces those of the providers that the body names; null takes them away.',
  ],
  'GET /v1/org/{org_id}/team_custom_credentials/{env}/{region}': [
    'listTeamCustomCredentials',
    'Oldest first. Secrets are never shown, but their hashes are.',
  ],
  'POST /v1/org/{org_id}/team_custom_credentials/{env}/{region}': [
    'putTeamCustomCredentials',
    'People of the team sign in with this app from now on. What is not named stays as it was.',
  ],
  'DELETE /v1/org/{org_id}/team_custom_credentials/{env}/{region}': [
    'deleteTeamCustomCredentials',
    'Connections that were made with the app cannot be kept fresh without it.',
  ],
  'POST /v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}': [
    'prepareTeamCustomCredentials',
    'What to enter in the form of the provider.',
  ],
  'GET /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}': [
    'listDataPullPreferences',
    'Days of history that are pulled of a new connection, of each provider and team.',
  ],
  'POST /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}': [
    'updateDataPullPreferences',
    'The same change for every team that the body names; connections that exist stay as they are.',
  ],
  'DELETE /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}': [
    'resetDataPullPreferences',
    'For every team that the query names, of all providers unless it names some.',
  ],
  'PUT /v1/payors': [
    'loadPayors',
    'All payors of the installation as one CSV file. What has a problem is not loaded at all.',
  ],
  'PUT /v1/catalog': [
    'loadCatalog',
    'Laboratories, markers, accounts and physicians as one document. What has a problem is not loaded at all.',
  ],
  'PUT /v1/diagnosis_codes': [
    'loadDiagnosisCodes',
    'The files of ICD-10-CM as they are published each year. The set is replaced at once, or not at all.',
  ],
  'PUT /v1/service_centers': [
    'loadServiceCenters',
    'Sites of laboratories as the text of a CSV file. What has a problem is not loaded at all.',
  ],
}
