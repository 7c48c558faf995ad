/** How the operations under one tag become a resource of the SDK. */
export interface ResourceRow {
  /** Name of the property; the tag in camel case when it is not given. */
  name?: string
  /**
   * Words that the name of the resource says already, and that methods leave out; the longest
   * first.
   */
  drop: readonly string[]
}

/** By tag. A tag that is missing becomes a resource whose methods are named as the operations. */
export const RESOURCES: Record<string, ResourceRow> = {
  Users: { drop: ['Users', 'User'] },
  Connections: { drop: ['UserConnections', 'Connections', 'Connection', 'User'] },
  Mobile: { drop: ['Sdk'] },
  Imports: { drop: ['Imports', 'Import'] },
  'Time series': { name: 'timeseries', drop: [] },
  Summaries: { drop: [] },
  'Aggregate queries': { name: 'queries', drop: ['Query'] },
  'Continuous queries': { drop: ['ContinuousQueries', 'ContinuousQuery'] },
  'Lab tests': { drop: ['LabTests', 'LabTest'] },
  Compendium: { drop: ['Compendium'] },
  Insurance: { drop: ['Insurance'] },
  Orders: { drop: ['Orders', 'Order', 'Team'] },
  Appointments: { drop: ['Appointments', 'Appointment'] },
  Documents: { drop: ['Documents', 'Order'] },
  Results: { drop: ['OrderResult'] },
  'Unmatched results': { drop: ['UnmatchedResults', 'UnmatchedResult'] },
  'Lab reports': { drop: ['ParsingJobs', 'ParsingJob', 'LabReports', 'LabReport'] },
  'Laboratory messages': { name: 'labMessages', drop: ['LabMessages', 'LabMessage'] },
  Sandbox: { drop: ['Sandbox'] },
  Webhooks: { drop: ['Webhooks', 'Webhook'] },
  Operation: { drop: ['Operation'] },
  Console: { name: 'consoleSessions', drop: ['ConsoleSessions', 'ConsoleSession'] },
}

/** `resource.method` of operations whose tag or name would say it badly. */
export const METHODS: Record<string, string> = {
  createLinkToken: 'link.createToken',
  startOAuthLink: 'link.startOAuth',
  connectByPassword: 'link.connectByPassword',
  completeMfa: 'link.completeMfa',
  connectByEmail: 'link.connectByEmail',
  listLinkProviders: 'link.listProviders',
  getLinkConfig: 'link.getConfig',
  listPutAsideItems: 'quarantine.list',
  uploadActivities: 'summaries.uploadActivities',
  uploadBodyMeasurements: 'summaries.uploadBodyMeasurements',
  uploadSleeps: 'summaries.uploadSleeps',
  uploadWorkouts: 'summaries.uploadWorkouts',
  uploadMeals: 'summaries.uploadMeals',
  uploadMenstrualCycles: 'summaries.uploadMenstrualCycles',
  uploadElectrocardiograms: 'summaries.uploadElectrocardiograms',
  uploadProfile: 'summaries.uploadProfile',
  importAppleHealth: 'imports.appleHealth',
  listTeamSourcePriorities: 'sourcePriorities.listOfTeam',
  updateTeamSourcePriorities: 'sourcePriorities.updateOfTeam',
  getUserSourcePriorities: 'sourcePriorities.getOfUser',
  replaceUserSourcePriorities: 'sourcePriorities.replaceOfUser',
  queryUserData: 'queries.run',
  listMarkers: 'markers.list',
  listOrderSetMarkers: 'markers.listOfOrderSet',
  listLabTestMarkers: 'markers.listOfLabTest',
  getMarkerByProviderId: 'markers.getByProviderId',
  getOrderTransactionResult: 'results.getOfTransaction',
  getOrderTransactionResultReport: 'results.getReportOfTransaction',
  listPersonResults: 'results.listOfUser',
  getResultTrend: 'results.getTrend',
  getLabTestCollectionInstructions: 'documents.getCollectionInstructionsOfLabTest',
  listSavedViews: 'savedViews.list',
  createSavedView: 'savedViews.create',
  updateSavedView: 'savedViews.update',
  deleteSavedView: 'savedViews.delete',
  listStuckOrders: 'orders.listStuck',
  retryStuckOrder: 'orders.retryStuck',
  listHeldResults: 'unmatchedResults.list',
  resendEvent: 'webhooks.resendEvent',
  sendWebhookExample: 'webhooks.sendExample',
  listEvents: 'events.list',
  getEvent: 'events.get',
  listEventTypes: 'events.listTypes',
  listEventAttempts: 'events.listAttempts',
  followEvents: 'events.openStream',
  explainMissingEvent: 'events.explainMissing',
  getOrganization: 'organization.get',
  updateOrganization: 'organization.update',
  listTeams: 'teams.list',
  createTeam: 'teams.create',
  resolveTeam: 'teams.resolve',
  getTeam: 'teams.get',
  updateTeam: 'teams.update',
  deleteTeam: 'teams.delete',
  createTeamAccessToken: 'teams.createAccessToken',
  getScopeRequirements: 'teams.getScopeRequirements',
  updateScopeRequirements: 'teams.updateScopeRequirements',
  listTeamApiKeys: 'apiKeys.list',
  createTeamApiKey: 'apiKeys.create',
  revokeTeamApiKeys: 'apiKeys.revoke',
  listManagementKeys: 'managementKeys.list',
  createManagementKey: 'managementKeys.create',
  updateManagementKey: 'managementKeys.update',
  revokeManagementKey: 'managementKeys.revoke',
  listTeamPipelines: 'pipelines.list',
  updateTeamPipelines: 'pipelines.update',
  resetTeamPipelines: 'pipelines.reset',
  listTeamCustomCredentials: 'customCredentials.list',
  putTeamCustomCredentials: 'customCredentials.put',
  deleteTeamCustomCredentials: 'customCredentials.delete',
  prepareTeamCustomCredentials: 'customCredentials.prepare',
  listDataPullPreferences: 'dataPullPreferences.list',
  updateDataPullPreferences: 'dataPullPreferences.update',
  resetDataPullPreferences: 'dataPullPreferences.reset',
  loadCatalog: 'catalog.load',
  loadPayors: 'catalog.loadPayors',
  loadDiagnosisCodes: 'catalog.loadDiagnosisCodes',
  loadServiceCenters: 'catalog.loadServiceCenters',
  getDemoTeam: 'demoTeam.get',
  fillDemoTeam: 'demoTeam.fill',
  removeDemoTeam: 'demoTeam.remove',
  endOtherConsoleSessions: 'consoleSessions.endOthers',
}

/** Operations that the SDK leaves out, besides the deprecated ones, and why. */
export const LEFT_OUT: Record<string, string> = {
  finishOAuthLink: 'a browser goes there, sent by a provider',
  createTeamAccessTokenAlias: 'another name of createTeamAccessToken',
  signInToConsole: 'answers with a cookie, for the pages of the console',
  getConsoleSession: 'needs the cookie of the console',
  signOutOfConsole: 'needs the cookie of the console',
  listConsoleSignInMethods: 'for the page that signs in to the console',
}

/**
 * POSTs that only read, or of which a repeat changes nothing: they may be sent again without an
 * answer.
 */
export const REPEATABLE: ReadonlySet<string> = new Set([
  ...'findUsers refreshUser exportConnections pauseConnections getSdkSyncState'.split(' '),
  ...'queryUserData validateContinuousQuery listOrderSetMarkers searchCompendium'.split(' '),
  ...'convertCompendium searchOrderableTests validateIcdCodes validateOrder'.split(' '),
  ...'getPhlebotomyAppointmentAvailability getPscAppointmentAvailability'.split(' '),
  ...'uploadActivities uploadBodyMeasurements uploadSleeps uploadWorkouts uploadMeals'.split(' '),
  ...'uploadMenstrualCycles uploadElectrocardiograms uploadProfile resolveTeam'.split(' '),
  ...'importAppleHealth updateTeamPipelines updateScopeRequirements'.split(' '),
  ...'updateDataPullPreferences prepareTeamCustomCredentials'.split(' '),
])
