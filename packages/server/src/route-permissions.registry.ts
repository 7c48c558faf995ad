import { DATA_OF_PEOPLE, type Need } from '@salus/kernel/http/permissions'

/**
 * What each operation requires, by its id in the OpenAPI document. A resource without an action
 * requires `read` for an operation that only reads, and `write` for any other. A new route needs an
 * entry here: the server does not start without it.
 */
export const NEEDS_OF_OPERATIONS: readonly (readonly [needs: readonly Need[], ids: string])[] = [
  // Open to every valid credential: what it is and may do, its sessions, and lists without secrets.
  [[], 'getAccess getOwnTeam getWebhookPortal listProviders listImportFormats callMcp'],
  [[], 'getConsoleSession signOutOfConsole listConsoleSessions endOtherConsoleSessions'],
  // Only of the signed-in user.
  [[], 'getConsoleUser changeConsolePassword createConsoleTotp confirmConsoleTotp'],
  [[], 'removeConsoleTotp createConsoleRecoveryCodes createConsolePasskeyChallenge'],
  [[], 'createConsolePasskey removeConsolePasskey'],
  // A token never has more than the key or role that creates it; a tool of MCP sends requests.
  [[], 'endConsoleSession createTeamAccessToken createTeamAccessTokenAlias'],
  // Each row of a batch is a request of its own; a view needs the permission of its list.
  [[], 'runBatch listSavedViews createSavedView updateSavedView deleteSavedView'],

  [['people'], 'listUsers createUser getUser updateUser deleteUser undoDeleteUser resolveUser'],
  [['people'], 'searchUsers getUserMetrics listUserDevices getUserDevice'],
  [['people'], 'listPortalSessions endPortalSession endPortalSessions'],
  // The creator of a link can open it, and then does what the person can.
  [['people', 'connections', 'health', 'rights', ...DATA_OF_PEOPLE], 'createPortalUrl'],
  // The page of a person has no permissions: these name what the access log shows.
  [['connections'], 'listPortalConnections connectFromPortal disconnectFromPortal'],
  [['people'], 'getPortalAccess closePortalSession'],
  [['health'], 'getPortalData listPortalImports importFromPortal createPortalUpload'],
  [['health'], 'getPortalUpload appendToPortalUpload'],
  [['results'], 'listPortalResults getPortalDocument'],
  [['audit'], 'getPortalAccessLog'],
  [['rights'], 'listOwnPortalShares createPortalShare revokeOwnPortalShare'],
  [['rights'], 'listPortalExports createPortalExport downloadPortalExport'],
  [['rights'], 'requestErasureFromPortal withdrawErasureRequest'],
  [['rights'], 'listPortalShares revokePortalShare'],
  [['people'], 'revokeAppApiKey'],
  [['health', 'results'], 'getGlance'],
  // One list of everything that is stored about a person.
  [[...DATA_OF_PEOPLE, 'connections:read', 'tasks:read', 'rights:read'], 'listTimeline'],
  [['health'], 'listNotes createNote updateNote withdrawNote listNoteVersions'],
  // Numbers without ids.
  [['people'], 'getOverview'],
  // Finds people by their names and returns these.
  [['people', 'demographics:read'], 'findUsers'],
  // A whole list in one file is more than reading its pages.
  [['people:write', 'demographics:read'], 'exportUserList'],
  [['orders:write'], 'exportOrderList'],
  [['tasks:write'], 'exportTaskList'],

  [['demographics'], 'getUserInfo updateUserInfo listInsurance getLatestInsurance'],
  [['demographics'], 'createInsurance checkEligibility createPayor'],

  [['connections'], 'listUserConnections createManualConnection deleteConnection refreshUser'],
  [['connections'], 'createLinkToken checkLinkToken startLink continueLink startOAuthLink'],
  [['connections'], 'connectByPassword connectByPasswordOld completeMfa connectByEmail'],
  [['connections'], 'connectByEmailOld listLinkProviders getLinkState getLinkConfig connectDemo'],
  [['connections'], 'pauseConnections triggerHistoricalPulls listBulkOperations'],
  [['connections'], 'getSdkSyncState startSdkHistoricalStage reportSdkSyncProgress'],
  [['connections'], 'endMobileSessions listHistoricalPulls listResourceStatistics'],
  [['connections'], 'listTeamSourcePriorities updateTeamSourcePriorities'],
  [['connections'], 'getUserSourcePriorities replaceUserSourcePriorities'],
  [['connections', 'health'], 'previewSourcePriorities'],
  // An app that signs in reads and writes the data of its person.
  [['connections:write', 'people:read', 'health:write'], 'createSignInToken createLinkCode'],
  // Tokens of people at providers give access to their data there.
  [['connections', 'keys:write', ...DATA_OF_PEOPLE], 'importConnections exportConnections'],

  [['health'], 'uploadBulkSamples listPutAsideItems queryUserData'],
  [['health'], 'getContinuousQueryResultTable listContinuousQueryTasks'],
  [['health'], 'importFile importAppleHealth listImports getImport answerImport previewTable'],
  [['health'], 'createImportUpload getImportUpload appendToImportUpload deleteImportUpload'],
  [['health'], 'listImportTemplates createImportTemplate getImportTemplate'],
  [['health'], 'updateImportTemplate deleteImportTemplate'],
  [['health'], 'listImportAddresses createImportAddress deleteImportAddress'],

  [['orders'], 'createOrder createOrReplaceOrder validateOrder importOrder createTestkitOrder'],
  [['orders'], 'registerTestkit listOrders getOrder rescheduleOrder getOrderTransaction'],
  [['orders'], 'listOrderTransitions cancelOrder completeDraw resendOrderEvents'],
  [['orders'], 'getOrderCommunicationSettings updateOrderCommunicationSettings'],
  [['orders'], 'listStuckOrders retryStuckOrder resolveStuckOrder'],
  [['orders'], 'listServiceCentersOfOrder getPhlebotomyAppointmentAvailability'],
  [['orders'], 'bookPhlebotomyAppointment requestPhlebotomyAppointment'],
  [['orders'], 'reschedulePhlebotomyAppointment cancelPhlebotomyAppointment'],
  [['orders'], 'getPhlebotomyAppointment getPscAppointmentAvailability bookPscAppointment'],
  [['orders'], 'reschedulePscAppointment cancelPscAppointment getPscAppointment'],
  [['orders'], 'listAppointments getOrderRequisition getOrderAbn'],
  [['orders'], 'getOrderCollectionInstructions getOrderLabels'],
  [['orders'], 'listSimulationTargets simulateOrder'],
  [['orders', 'results'], 'listDocuments'],

  [['results'], 'getOrderResult listOrderResultVersions getOrderResultMetadata'],
  [['results'], 'getOrderResultReport getOrderResultDocument getOrderTransactionResult'],
  [['results'], 'getOrderTransactionResultReport listPersonResults getResultTrend'],
  [['results'], 'listCriticalResultTasks getCriticalResultTask receiveCriticalResultTask'],
  [['results'], 'acknowledgeCriticalResultTask listUnmatchedResults getUnmatchedResult'],
  [['results'], 'acceptUnmatchedResult resolveUnmatchedResult undoUnmatchedResult'],
  [['results'], 'listUnmatchedResultTestCases createUnmatchedResultTest getUnmatchedResultTest'],
  [['results'], 'listHeldResults handOverUnmatchedResult'],
  [['results'], 'listParsingJobs createParsingJob getParsingJob deleteParsingJob'],
  [['results'], 'getParsingJobEvidence getParsingJobPage getParsingJobFile'],
  [['results'], 'listLabReportReviews getLabReportReview getLabReportFile getLabReportPage'],
  [['results'], 'approveLabReport rejectLabReport'],
  // Messages of laboratories hold orders and results.
  [['orders', 'results'], 'listLabMessages getLabMessage retryLabMessage discardLabMessage'],
  [['orders', 'results'], 'listOutgoingLabMessages getOutgoingLabMessage'],
  [['orders', 'results'], 'resendOutgoingLabMessage'],
  [['orders', 'results'], 'listReceivedLabMessages getReceivedLabMessage'],

  [['tasks'], 'listTasks countTasks getTask receiveTask acknowledgeTask assignTask'],
  [['tasks'], 'completeTask cancelTask'],

  [['catalog'], 'listLabs listLabAccounts listLabTests listLabTestsUnpaged createLabTest'],
  [['catalog'], 'getLabTest updateLabTest listLabTestMarkers listMarkers listOrderSetMarkers'],
  [['catalog'], 'getMarkerByProviderId approveLabTest getLabTestCollectionInstructions'],
  [['catalog'], 'searchCompendium convertCompendium searchOrderableTests'],
  [['catalog'], 'searchPayors searchPayorsByBody searchDiagnoses validateIcdCodes'],
  [['catalog'], 'getAreaInfo listServiceCenters listTeamPhysicians lookUpPhysician'],
  [['catalog'], 'listPhlebotomyAppointmentCancellationReasons'],
  [['catalog'], 'listPscAppointmentCancellationReasons'],

  [['webhooks'], 'listWebhooks listWebhookStatus getWebhook deleteWebhook listEventTypes'],
  [['webhooks'], 'listEventAttempts listWebhookAttempts resendEvent resendEvents recoverWebhook'],
  [['webhooks'], 'sendWebhookExample explainMissingEvent explainMissingEventOfUser'],
  [['webhooks'], 'getWebhookAttemptHistogram'],
  [['webhooks', 'keys'], 'getWebhookHeaders replaceWebhookHeaders'],
  [['webhooks', 'keys'], 'getWebhookSecret rotateWebhookSecret'],
  // Salus sends data of people to the address that the caller sets.
  [['webhooks', ...DATA_OF_PEOPLE], 'createWebhook updateWebhook'],
  [['webhooks', ...DATA_OF_PEOPLE], 'listEvents getEvent followEvents'],

  [['queries'], 'listQueryTables listContinuousQueries createContinuousQuery'],
  [['queries'], 'validateContinuousQuery updateContinuousQuery archiveContinuousQuery'],

  // A preview shows data of people, and an episode the values that triggered it.
  [['health', 'queries:read'], 'listRules createRule getRule updateRule deleteRule previewRule'],
  [['health', 'queries:read'], 'listRuleTemplates'],
  [['health'], 'listRuleEpisodes getRuleEpisode'],

  [['keys'], 'listTeamApiKeys createTeamApiKey revokeTeamApiKeys'],
  [['keys'], 'listManagementKeys createManagementKey updateManagementKey revokeManagementKey'],
  [['keys'], 'listOrganizationUsers getOrganizationUser inviteOrganizationUser'],
  [['keys'], 'updateOrganizationUser removeOrganizationUser createOrganizationInvitation'],
  [['keys'], 'revokeOrganizationInvitation resetOrganizationUserSecondFactor'],
  [['keys'], 'listSmartClients deleteSmartClient'],
  // A client has scopes of FHIR, which are not divided as permissions are.
  [['keys', 'orders:write', ...DATA_OF_PEOPLE], 'createSmartClient'],

  [['settings'], 'getOrganization updateOrganization listTeams createTeam resolveTeam getTeam'],
  [['settings'], 'updateTeam deleteTeam listTeamPipelines updateTeamPipelines'],
  [['settings'], 'resetTeamPipelines getScopeRequirements updateScopeRequirements'],
  [['settings'], 'listDataPullPreferences updateDataPullPreferences resetDataPullPreferences'],
  [['settings'], 'listTeamCustomCredentials deleteTeamCustomCredentials'],
  [['settings'], 'prepareTeamCustomCredentials getDemoTeam fillDemoTeam removeDemoTeam'],
  [['settings'], 'getSandboxClock advanceSandboxClock'],
  [['settings'], 'listLabConnections getLabConnection deleteLabConnection holdLabConnection'],
  [['settings'], 'releaseLabConnection checkLabConnection rehearseLabConnection'],
  [['settings', 'keys'], 'putTeamCustomCredentials'],
  // Salus sends orders to the address that the caller sets.
  [['settings', 'orders:read', 'demographics:read'], 'importLabConnection'],

  [['audit'], 'listEnvironmentAuditLog'],
  [['audit', 'operation'], 'listAuditLog'],

  [['rights'], 'exportPerson listExports getExport deleteExport'],
  // What leaves the service as a whole is more than a read.
  [['rights:write', ...DATA_OF_PEOPLE], 'downloadExport createExportLink'],
  [['rights'], 'erasePerson tryErasure listErasures getErasure'],
  [['rights'], 'listLegalHolds placeLegalHold releaseLegalHold'],
  [['rights'], 'getRetentionRules replaceRetentionRules listRetainedResources'],
  [['rights'], 'tryRetentionRules'],

  [['operation'], 'getOperationStatus getDeliveryStatus listProviderStatus listProviderSetups'],
  [['operation'], 'checkProviderSetup listJobKinds listJobs retryJobs'],
  [['operation'], 'loadCatalog loadCompendium loadPayors loadDiagnosisCodes loadServiceCenters'],

  // Resources of FHIR are not divided as permissions are.
  [DATA_OF_PEOPLE, 'searchFhir searchFhirByForm readFhir listFhirVersions readFhirVersion'],
  [DATA_OF_PEOPLE, 'getFhirEverything getFhirDocuments'],
  [['orders', ...DATA_OF_PEOPLE], 'createFhirOrder updateFhirOrder patchFhirOrder'],
  [['orders', ...DATA_OF_PEOPLE], 'submitFhirBundle'],
  [['rights:write', ...DATA_OF_PEOPLE], 'exportFhirPatients exportFhirGroup getFhirExport'],
  [['rights:write', ...DATA_OF_PEOPLE], 'deleteFhirExport downloadFhirExport'],
]

/** Operations that tables of series and summaries make, by the beginning of their paths. */
export const NEEDS_OF_PATHS: readonly (readonly [needs: readonly Need[], path: string])[] = [
  [['health'], '/v2/timeseries/'],
  [['health'], '/v2/summary/'],
]
