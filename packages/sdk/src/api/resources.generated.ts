// generated from docs/openapi.json by scripts/generate.ts; do not edit

import { Paged } from '../client/paged.ts'
import { path } from '../client/path.ts'
import type { AdminOptions, RequestOptions } from '../client/request-options.ts'
import { Resource } from '../client/resource.ts'
import type * as api from './types.generated.ts'

export class Users extends Resource {
  /**
   * Create a user. A person of the environment of the key. A client_user_id that is taken is
   * refused, with the id of who has it.
   * `POST /v2/user`
   */
  async create(body: api.UserCreate, options: RequestOptions = {}): Promise<api.User> {
    return this.http.json('POST', path`/v2/user`, { body, options })
  }

  /**
   * List users. Oldest first, in pages by offset and limit.
   * `GET /v2/user`
   */
  list(
    query: api.ListUsersQuery = {},
    options: RequestOptions = {},
  ): Paged<api.UserList, api.User> {
    return new Paged('offset', 'users', query, (query) =>
      this.http.json('GET', path`/v2/user`, { query, options }),
    )
  }

  /**
   * Delete a user. The person is gone for readers at once, can be brought back for seven days, and
   * is erased then.
   * `DELETE /v2/user/{user_id}`
   */
  async delete(userId: string, options: RequestOptions = {}): Promise<api.Success> {
    return this.http.json('DELETE', path`/v2/user/${userId}`, { options })
  }

  /**
   * Read a user. The person with all connections.
   * `GET /v2/user/{user_id}`
   */
  async get(userId: string, options: RequestOptions = {}): Promise<api.User> {
    return this.http.json('GET', path`/v2/user/${userId}`, { options })
  }

  /**
   * Change a user. Changes what the body names; null takes a setting away.
   * `PATCH /v2/user/{user_id}`
   */
  async update(userId: string, body: api.UserUpdate, options: RequestOptions = {}): Promise<void> {
    return this.http.json('PATCH', path`/v2/user/${userId}`, { body, options })
  }

  /**
   * Bring a deleted user back. Within seven days of the delete. Give exactly one of the two
   * parameters.
   * `POST /v2/user/undo_delete`
   */
  async undoDelete(
    query: api.UndoDeleteUserQuery = {},
    options: RequestOptions = {},
  ): Promise<api.Success> {
    return this.http.json('POST', path`/v2/user/undo_delete`, { query, options })
  }

  /**
   * Numbers of the team. How many users, connections and ordered tests the environment has, and how
   * connections grew by week.
   * `GET /v2/user/metrics`
   */
  async getMetrics(options: RequestOptions = {}): Promise<api.UserMetrics> {
    return this.http.json('GET', path`/v2/user/metrics`, { options })
  }

  /**
   * Search users. At most 50 users whose id begins so, or whose client_user_id has that part, in
   * either case.
   * `GET /v2/team/users/search`
   */
  async search(query: api.SearchUsersQuery, options: RequestOptions = {}): Promise<api.User[]> {
    return this.http.json('GET', path`/v2/team/users/search`, { query, options })
  }

  /**
   * Find people by what is known of them. People by parts of their client_user_id, name or e-mail
   * address, and by their connections. What is looked for stays out of addresses.
   * `POST /v2/user/search`
   */
  async find(body: api.UserSearch, options: RequestOptions = {}): Promise<api.FoundUsers> {
    return this.http.json('POST', path`/v2/user/search`, { body, isRepeatable: true, options })
  }

  /**
   * Find a user by client_user_id. Finds a person by the team's own id, exactly as it was given.
   * `GET /v2/user/resolve/{client_user_id}`
   */
  async resolve(clientUserId: string, options: RequestOptions = {}): Promise<api.User> {
    return this.http.json('GET', path`/v2/user/resolve/${clientUserId}`, { options })
  }

  /**
   * Store demographics. Replaces the demographics, which laboratories need to know of a patient.
   * `PATCH /v2/user/{user_id}/info`
   */
  async updateInfo(
    userId: string,
    body: api.UserInfo,
    options: RequestOptions = {},
  ): Promise<api.UserInfo> {
    return this.http.json('PATCH', path`/v2/user/${userId}/info`, { body, options })
  }

  /**
   * Read demographics. The demographics as they were stored last; 404 when there are none.
   * `GET /v2/user/{user_id}/info/latest`
   */
  async getInfo(userId: string, options: RequestOptions = {}): Promise<api.UserInfo> {
    return this.http.json('GET', path`/v2/user/${userId}/info/latest`, { options })
  }

  /**
   * Make a link to the portal of a user. Salus has no portal for people yet, so this is always
   * refused with 403 `feature_not_enabled`.
   * `POST /v2/user/{user_id}/create_portal_url`
   */
  async createPortalUrl(
    userId: string,
    body: api.PortalUrlCreate,
    options: RequestOptions = {},
  ): Promise<api.PortalUrl> {
    return this.http.json('POST', path`/v2/user/${userId}/create_portal_url`, { body, options })
  }

  /**
   * Pull a user's newest data. 200 when all connections are done in time, 202 when some go on, 400
   * when none could be refreshed.
   * `POST /v2/user/refresh/{user_id}`
   */
  async refresh(
    userId: string,
    query: api.RefreshUserQuery = {},
    options: RequestOptions = {},
  ): Promise<api.UserRefreshSuccessResponse> {
    return this.http.json('POST', path`/v2/user/refresh/${userId}`, {
      query,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Why there was no event about a person. The same as `explainMissingEvent`, by a key of the team.
   * `GET /v2/user/{user_id}/event_explanation`
   */
  async explainMissingEventOf(
    userId: string,
    query: api.ExplainMissingEventOfUserQuery,
    options: RequestOptions = {},
  ): Promise<api.EventExplanation> {
    return this.http.json('GET', path`/v2/user/${userId}/event_explanation`, { query, options })
  }
}

export class Connections extends Resource {
  /**
   * Connect a user to an SDK provider. 409 means connected already.
   * `POST /v2/link/provider/manual/{provider}`
   */
  async createManual(
    provider: string,
    body: api.ManualConnection,
    options: RequestOptions = {},
  ): Promise<api.Success> {
    return this.http.json('POST', path`/v2/link/provider/manual/${provider}`, { body, options })
  }

  /**
   * A user's connections. What the person is connected to, with the state of each connection and of
   * each of its resources.
   * `GET /v2/user/providers/{user_id}`
   */
  async list(userId: string, options: RequestOptions = {}): Promise<api.ProviderConnections> {
    return this.http.json('GET', path`/v2/user/providers/${userId}`, { options })
  }

  /**
   * End a connection. The data that it brought stays.
   * `DELETE /v2/user/{user_id}/{provider}`
   */
  async delete(
    userId: string,
    provider: string,
    options: RequestOptions = {},
  ): Promise<api.Success> {
    return this.http.json('DELETE', path`/v2/user/${userId}/${provider}`, { options })
  }

  /**
   * A user's devices. Devices that uploads and imports have named.
   * `GET /v2/user/{user_id}/device`
   */
  async listDevices(userId: string, options: RequestOptions = {}): Promise<api.Device[]> {
    return this.http.json('GET', path`/v2/user/${userId}/device`, { options })
  }

  /**
   * One device of a user. A device that uploads or imports have named.
   * `GET /v2/user/{user_id}/device/{device_id}`
   */
  async getDevice(
    userId: string,
    deviceId: string,
    options: RequestOptions = {},
  ): Promise<api.Device> {
    return this.http.json('GET', path`/v2/user/${userId}/device/${deviceId}`, { options })
  }

  /**
   * Providers that can be connected. What can be connected, with the resources that each has and
   * the way to sign in.
   * `GET /v2/providers`
   */
  async listProviders(
    query: api.ListProvidersQuery = {},
    options: RequestOptions = {},
  ): Promise<api.ProviderDescription[]> {
    return this.http.json('GET', path`/v2/providers`, { query, options })
  }

  /**
   * Take over connections from elsewhere. Makes connections from tokens that another service got.
   * People that are not known are among those that failed.
   * `POST /v2/link/bulk_import`
   */
  async import(body: api.BulkImport, options: RequestOptions = {}): Promise<api.BulkImportResult> {
    return this.http.json('POST', path`/v2/link/bulk_import`, { body, options })
  }

  /**
   * Hand over connections with their tokens. Pause them first, so that the tokens are not replaced
   * meanwhile.
   * `POST /v2/link/bulk_export`
   */
  async export(body: api.BulkExport, options: RequestOptions = {}): Promise<api.BulkExportPage> {
    return this.http.json('POST', path`/v2/link/bulk_export`, { body, isRepeatable: true, options })
  }

  /**
   * Pause connections. Nothing is asked of the provider any more until the person connects again or
   * is imported.
   * `POST /v2/link/bulk_pause`
   */
  async pause(body: api.BulkPause, options: RequestOptions = {}): Promise<Record<string, unknown>> {
    return this.http.json('POST', path`/v2/link/bulk_pause`, { body, isRepeatable: true, options })
  }

  /**
   * Ask for the history of people anew. At the pace that the provider allows. People that are not
   * connected are passed over.
   * `POST /v2/link/bulk_trigger_historical_pull`
   */
  async triggerHistoricalPulls(
    body: api.BulkHistoricalTrigger,
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.http.json('POST', path`/v2/link/bulk_trigger_historical_pull`, { body, options })
  }

  /**
   * Bulk operations, newest first. Imports and pulls of many people, with how far each has come.
   * `GET /v2/link/bulk_op`
   */
  listBulkOperations(
    query: api.ListBulkOperationsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.BulkOperations, api.BulkOperation> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v2/link/bulk_op`, { query, options }),
    )
  }
}

export class Link extends Resource {
  /**
   * Open a link session. The token is for one connection of one person, within an hour.
   * `POST /v2/link/token`
   */
  async createToken(
    body: api.LinkTokenCreate,
    options: RequestOptions = {},
  ): Promise<api.LinkToken> {
    return this.http.json('POST', path`/v2/link/token`, { body, options })
  }

  /**
   * Begin to connect by OAuth. Brings the address to send the person to, who comes back by way of
   * this server.
   * `GET /v2/link/provider/oauth/{oauth_provider}`
   */
  async startOAuth(oauthProvider: string, options: RequestOptions = {}): Promise<api.OAuthSource> {
    return this.http.json('GET', path`/v2/link/provider/oauth/${oauthProvider}`, {
      audience: 'link',
      options,
    })
  }

  /**
   * Connect with a user name and a password. Every outcome is answered with 200 and a state, also
   * that of a wrong password or link token.
   * `POST /v2/link/provider/password/{provider}`
   */
  async connectByPassword(
    provider: string,
    body: api.PasswordSignIn,
    options: RequestOptions = {},
  ): Promise<api.ProviderLinkResponse> {
    return this.http.json('POST', path`/v2/link/provider/password/${provider}`, {
      body,
      audience: 'link',
      options,
    })
  }

  /**
   * Connect with the code that the provider sent. Every outcome is answered with 200 and a state,
   * also that of a wrong password or link token.
   * `POST /v2/link/provider/password/{provider}/complete_mfa`
   */
  async completeMfa(
    provider: string,
    body: api.MfaCode,
    options: RequestOptions = {},
  ): Promise<api.ProviderLinkResponse> {
    return this.http.json('POST', path`/v2/link/provider/password/${provider}/complete_mfa`, {
      body,
      audience: 'link',
      options,
    })
  }

  /**
   * Connect by an e-mail address. Every outcome is answered with 200 and a state, also that of a
   * wrong password or link token.
   * `POST /v2/link/provider/email/{provider}`
   */
  async connectByEmail(
    provider: string,
    body: api.EmailSignIn,
    options: RequestOptions = {},
  ): Promise<api.ProviderLinkResponse> {
    return this.http.json('POST', path`/v2/link/provider/email/${provider}`, {
      body,
      audience: 'link',
      options,
    })
  }

  /**
   * Providers that the person can sign in to. Cloud providers that the deployment connects, by
   * name, with what each asks of the person.
   * `GET /v2/link/providers`
   */
  async listProviders(options: RequestOptions = {}): Promise<api.SourceLink[]> {
    return this.http.json('GET', path`/v2/link/providers`, { audience: 'link', options })
  }

  /**
   * What the link page shows. Whom the person is about to give access, and the providers to choose
   * from.
   * `GET /v2/team/link/config`
   */
  async getConfig(options: RequestOptions = {}): Promise<api.LinkConfig> {
    return this.http.json('GET', path`/v2/team/link/config`, { audience: 'link', options })
  }
}

export class Mobile extends Resource {
  /**
   * Exchange a link code for a sign-in token. Takes a link code, once, and gives the person, a
   * sign-in token and how the team is called.
   * `POST /v2/link/code/exchange`
   */
  async exchangeLinkCode(
    query: api.ExchangeLinkCodeQuery,
    options: RequestOptions = {},
  ): Promise<api.LinkCodeExchange> {
    return this.http.json('POST', path`/v2/link/code/exchange`, {
      query,
      audience: 'nobody',
      options,
    })
  }

  /**
   * Get an access token. Takes a sign-in token or a refresh token, as a form, and gives an access
   * token for an hour and the next refresh token. A lost answer is given again for 60 seconds. Of a
   * refusal `error_type` is all there is: at `invalid_token` the app forgets its session, at
   * `reauthentication_required` it keeps its data and needs a new sign-in token.
   * `POST /v1/token`
   */
  async exchangeToken(
    body: api.TokenRequest,
    options: RequestOptions = {},
  ): Promise<api.TokenPair> {
    return this.http.json('POST', path`/v1/token`, { form: body, audience: 'nobody', options })
  }

  /**
   * Make a sign-in token. The server of the team asks for it and hands it to its app, once for an
   * installation. It is good for ten minutes and one sign-in.
   * `POST /v2/user/{user_id}/sign_in_token`
   */
  async createSignInToken(userId: string, options: RequestOptions = {}): Promise<api.SignInToken> {
    return this.http.json('POST', path`/v2/user/${userId}/sign_in_token`, { options })
  }

  /**
   * End all sessions of apps of a person. Ends the sessions of all apps of the person, with their
   * access tokens, at once, and link codes that were not used yet. The person signs in again. For a
   * phone that was lost. A sign-in token that was made in the last ten minutes stays good.
   * `DELETE /v2/user/{user_id}/mobile_session`
   */
  async endMobileSessions(
    userId: string,
    options: RequestOptions = {},
  ): Promise<api.EndedMobileSessions> {
    return this.http.json('DELETE', path`/v2/user/${userId}/mobile_session`, { options })
  }

  /**
   * Make a link code. A short code by which a companion app signs in for the person, once; for an
   * hour, or until `expires_at`, at most 30 days away.
   * `POST /v2/link/code/create`
   */
  async createLinkCode(
    query: api.CreateLinkCodeQuery,
    options: RequestOptions = {},
  ): Promise<api.LinkCode> {
    return this.http.json('POST', path`/v2/link/code/create`, { query, options })
  }

  /**
   * What a phone has to know before it synchronizes. Whether a phone may synchronize, what range,
   * and when to ask again. The zone of the device becomes the fallback of the person, unless one
   * was set by hand.
   * `POST /v2/user/{user_id}/sdk_sync_state/{provider}`
   */
  async getSyncState(
    userId: string,
    provider: string,
    body: api.SdkSyncStateRequest,
    options: RequestOptions = {},
  ): Promise<api.SdkSyncState> {
    return this.http.json('POST', path`/v2/user/${userId}/sdk_sync_state/${provider}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Begin with the history of a resource. The history of the resource is in progress from here on,
   * until an upload says that it is the last of it.
   * `POST /v2/user/{user_id}/sdk_start_historical_stage/{provider}`
   */
  async startHistoricalStage(
    userId: string,
    provider: string,
    body: api.SdkHistoricalStage,
    options: RequestOptions = {},
  ): Promise<api.Success> {
    return this.http.json('POST', path`/v2/user/${userId}/sdk_start_historical_stage/${provider}`, {
      body,
      options,
    })
  }

  /**
   * Report how synchronization goes. The latest report of each person and provider is kept, for
   * whoever looks why data are late.
   * `POST /v2/user/{user_id}/sdk_sync_progress/{provider}`
   */
  async reportSyncProgress(
    userId: string,
    provider: string,
    body: api.SdkSyncProgress,
    options: RequestOptions = {},
  ): Promise<api.Success> {
    return this.http.json('POST', path`/v2/user/${userId}/sdk_sync_progress/${provider}`, {
      body,
      options,
    })
  }
}

export class DataRights extends Resource {
  /**
   * Download the file of an export by a link. The archive, for whoever has the link, until it ends.
   * `GET /export/{link_secret}`
   */
  async downloadExportByLink(linkSecret: string, options: RequestOptions = {}): Promise<Response> {
    return this.http.bytes('GET', path`/export/${linkSecret}`, {
      audience: 'nobody',
      accept: 'application/zip',
      options,
    })
  }

  /**
   * Public keys of receipts. Whoever has a receipt verifies it with these, at any time and without
   * Salus.
   * `GET /receipt_keys`
   */
  async listReceiptKeys(options: RequestOptions = {}): Promise<api.ReceiptKeyList> {
    return this.http.json('GET', path`/receipt_keys`, { audience: 'nobody', options })
  }

  /**
   * Export everything of a person. Made in the background as one ZIP archive, which ends by itself
   * after a week.
   * `POST /v2/user/{user_id}/export`
   */
  async exportPerson(
    userId: string,
    body: api.PersonExportCreate,
    options: RequestOptions = {},
  ): Promise<api.PersonExport> {
    return this.http.json('POST', path`/v2/user/${userId}/export`, { body, options })
  }

  /**
   * List exports of a person. Newest first, without those that have ended.
   * `GET /v2/user/{user_id}/export`
   */
  async listExports(userId: string, options: RequestOptions = {}): Promise<api.PersonExportList> {
    return this.http.json('GET', path`/v2/user/${userId}/export`, { options })
  }

  /**
   * Read an export. How far it is: rows that were written, of all.
   * `GET /v2/user/{user_id}/export/{export_id}`
   */
  async getExport(
    userId: string,
    exportId: string,
    options: RequestOptions = {},
  ): Promise<api.PersonExport> {
    return this.http.json('GET', path`/v2/user/${userId}/export/${exportId}`, { options })
  }

  /**
   * Delete an export. Before its time, with its file and its link.
   * `DELETE /v2/user/{user_id}/export/{export_id}`
   */
  async deleteExport(
    userId: string,
    exportId: string,
    options: RequestOptions = {},
  ): Promise<api.Success> {
    return this.http.json('DELETE', path`/v2/user/${userId}/export/${exportId}`, { options })
  }

  /**
   * Download the file of an export. The archive, whose SHA-256 the export tells.
   * `GET /v2/user/{user_id}/export/{export_id}/download`
   */
  async downloadExport(
    userId: string,
    exportId: string,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/v2/user/${userId}/export/${exportId}/download`, {
      accept: 'application/zip',
      options,
    })
  }

  /**
   * Make a link that downloads the file of an export. Whoever has the link needs no key. A new one
   * ends the one before.
   * `POST /v2/user/{user_id}/export/{export_id}/link`
   */
  async createExportLink(
    userId: string,
    exportId: string,
    body: api.ExportLinkCreate,
    options: RequestOptions = {},
  ): Promise<api.ExportLink> {
    return this.http.json('POST', path`/v2/user/${userId}/export/${exportId}/link`, {
      body,
      options,
    })
  }

  /**
   * Erase a person. The person is gone for readers at once and erased in two minutes. Nothing
   * brings them back.
   * `POST /v2/user/{user_id}/erasure`
   */
  async erasePerson(userId: string, options: RequestOptions = {}): Promise<api.Erasure> {
    return this.http.json('POST', path`/v2/user/${userId}/erasure`, { options })
  }

  /**
   * Show what an erasure would remove. Counts what an erasure would remove now, and tells what
   * would stay. Nothing is changed.
   * `POST /v2/user/{user_id}/erasure/dry_run`
   */
  async tryErasure(userId: string, options: RequestOptions = {}): Promise<api.ErasureDryRun> {
    return this.http.json('POST', path`/v2/user/${userId}/erasure/dry_run`, { options })
  }

  /**
   * List erasures, newest first. Also those of people whose week after a delete was over.
   * `GET /v2/erasure`
   */
  listErasures(
    query: api.ListErasuresQuery = {},
    options: RequestOptions = {},
  ): Paged<api.ErasureList, api.Erasure> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v2/erasure`, { query, options }),
    )
  }

  /**
   * Read an erasure and its receipt. Once it is completed, with the signed receipt of what was
   * removed where.
   * `GET /v2/erasure/{erasure_id}`
   */
  async getErasure(erasureId: string, options: RequestOptions = {}): Promise<api.Erasure> {
    return this.http.json('GET', path`/v2/erasure/${erasureId}`, { options })
  }
}

export class Assistants extends Resource {
  /**
   * Ask by the Model Context Protocol. Streamable HTTP of the Model Context Protocol, without
   * sessions: a message of JSON-RPC, answered with one. Read-only tools over what the key or token
   * opens.
   * `POST /mcp`
   */
  async callMcp(body: api.McpMessage, options: RequestOptions = {}): Promise<api.McpAnswer> {
    return this.http.json('POST', path`/mcp`, { body, options })
  }
}

export class Quarantine extends Resource {
  /**
   * Items that could not be stored. Items of uploads that were not stored, newest first, each as it
   * came and with the reason.
   * `GET /v2/user/{user_id}/put_aside`
   */
  list(
    userId: string,
    query: api.ListPutAsideItemsQuery = {},
    options: RequestOptions = {},
  ): Paged<
    api.PutAsideList,
    {
      resource: string
      /** Slug of the provider. */
      provider: string
      reason: string
      /** As it came. */
      item: unknown
      /** @format date-time */
      received_at: string
    }
  > {
    return new Paged('cursor', 'items', query, (query) =>
      this.http.json('GET', path`/v2/user/${userId}/put_aside`, { query, options }),
    )
  }
}

export class Summaries extends Resource {
  /**
   * Upload days of activity. Sums of days, and samples that feed their series. Keys may be spelled
   * in snake or camel case. Bad items are quarantined with a reason; the good ones are stored, and
   * durable when the answer comes.
   * `POST /v2/summary/activity/{user_id}`
   */
  async uploadActivities(
    userId: string,
    body: api.ActivityUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/activity/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read days of activity. Found by calendar date; a date-time is cut to its date.
   * `GET /v2/summary/activity/{user_id}`
   */
  async listActivities(
    userId: string,
    query: api.ListActivitiesQuery,
    options: RequestOptions = {},
  ): Promise<{
    activity: api.Activity[]
  }> {
    return this.http.json('GET', path`/v2/summary/activity/${userId}`, { query, options })
  }

  /**
   * Upload body measurements. A sample each, and a summary for each source and minute. Keys may be
   * spelled in snake or camel case. Bad items are quarantined with a reason; the good ones are
   * stored, and durable when the answer comes.
   * `POST /v2/summary/body/{user_id}`
   */
  async uploadBodyMeasurements(
    userId: string,
    body: api.BodyUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/body/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read body measurements. A date is compared with the calendar date, a date-time with the start.
   * `GET /v2/summary/body/{user_id}`
   */
  async listBodyMeasurements(
    userId: string,
    query: api.ListBodyMeasurementsQuery,
    options: RequestOptions = {},
  ): Promise<{
    body: api.Body[]
  }> {
    return this.http.json('GET', path`/v2/summary/body/${userId}`, { query, options })
  }

  /**
   * Upload sleeps. Sleeps with their stages and samples. Keys may be spelled in snake or camel
   * case. Bad items are quarantined with a reason; the good ones are stored, and durable when the
   * answer comes.
   * `POST /v2/summary/sleep/{user_id}`
   */
  async uploadSleeps(
    userId: string,
    body: api.SleepUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/sleep/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read sleeps. A date is compared with the calendar date, a date-time with bedtime_stop.
   * `GET /v2/summary/sleep/{user_id}`
   */
  async listSleeps(
    userId: string,
    query: api.ListSleepsQuery,
    options: RequestOptions = {},
  ): Promise<{
    sleep: api.Sleep[]
  }> {
    return this.http.json('GET', path`/v2/summary/sleep/${userId}`, { query, options })
  }

  /**
   * Upload workouts. Workouts with their streams and samples. Keys may be spelled in snake or camel
   * case. Bad items are quarantined with a reason; the good ones are stored, and durable when the
   * answer comes.
   * `POST /v2/summary/workouts/{user_id}`
   */
  async uploadWorkouts(
    userId: string,
    body: api.WorkoutUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/workouts/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read workouts. A date is compared with the calendar date, a date-time with the start.
   * `GET /v2/summary/workouts/{user_id}`
   */
  async listWorkouts(
    userId: string,
    query: api.ListWorkoutsQuery,
    options: RequestOptions = {},
  ): Promise<{
    workouts: api.Workout[]
  }> {
    return this.http.json('GET', path`/v2/summary/workouts/${userId}`, { query, options })
  }

  /**
   * Upload meals. Samples of HealthKit or records of Health Connect. Keys may be spelled in snake
   * or camel case. Bad items are quarantined with a reason; the good ones are stored, and durable
   * when the answer comes.
   * `POST /v2/summary/meal/{user_id}`
   */
  async uploadMeals(
    userId: string,
    body: api.MealUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/meal/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read meals. A date is compared with the calendar date, a date-time with the start.
   * `GET /v2/summary/meal/{user_id}`
   */
  async listMeals(
    userId: string,
    query: api.ListMealsQuery,
    options: RequestOptions = {},
  ): Promise<{
    meals: api.Meal[]
  }> {
    return this.http.json('GET', path`/v2/summary/meal/${userId}`, { query, options })
  }

  /**
   * Upload menstrual cycles. A cycle is known by its first day. Keys may be spelled in snake or
   * camel case. Bad items are quarantined with a reason; the good ones are stored, and durable when
   * the answer comes.
   * `POST /v2/summary/menstrual_cycle/{user_id}`
   */
  async uploadMenstrualCycles(
    userId: string,
    body: api.MenstrualCycleUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/menstrual_cycle/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read menstrual cycles. Found when they overlap the range. Dates only; a date-time is cut to its
   * date.
   * `GET /v2/summary/menstrual_cycle/{user_id}`
   */
  async listMenstrualCycles(
    userId: string,
    query: api.ListMenstrualCyclesQuery,
    options: RequestOptions = {},
  ): Promise<{
    menstrual_cycle: api.MenstrualCycle[]
  }> {
    return this.http.json('GET', path`/v2/summary/menstrual_cycle/${userId}`, { query, options })
  }

  /**
   * Upload electrocardiograms. Recordings with their voltages. Keys may be spelled in snake or
   * camel case. Bad items are quarantined with a reason; the good ones are stored, and durable when
   * the answer comes.
   * `POST /v2/summary/electrocardiogram/{user_id}`
   */
  async uploadElectrocardiograms(
    userId: string,
    body: api.ElectrocardiogramUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/electrocardiogram/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read electrocardiograms. Found by the local day of the start. Dates only; a date-time is cut to
   * its date.
   * `GET /v2/summary/electrocardiogram/{user_id}`
   */
  async listElectrocardiograms(
    userId: string,
    query: api.ListElectrocardiogramsQuery,
    options: RequestOptions = {},
  ): Promise<{
    /** The record. */
    electrocardiogram: api.Electrocardiogram[]
  }> {
    return this.http.json('GET', path`/v2/summary/electrocardiogram/${userId}`, { query, options })
  }

  /**
   * Upload the profile. A source has one profile; what it leaves out is not known. Keys may be
   * spelled in snake or camel case. Bad items are quarantined with a reason; the good ones are
   * stored, and durable when the answer comes.
   * `POST /v2/summary/profile/{user_id}`
   */
  async uploadProfile(
    userId: string,
    body: api.ProfileUpload,
    options: RequestOptions = {},
  ): Promise<api.UploadResult> {
    return this.http.json('POST', path`/v2/summary/profile/${userId}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Read the newest profile. What providers know of the person, such as height and birth date; the
   * newest of all providers.
   * `GET /v2/summary/profile/{user_id}`
   */
  async getProfile(
    userId: string,
    query: api.GetProfileQuery = {},
    options: RequestOptions = {},
  ): Promise<api.Profile> {
    return this.http.json('GET', path`/v2/summary/profile/${userId}`, { query, options })
  }

  /**
   * Read the stages of sleeps. Found by the local day of the end. Dates only; a date-time is cut to
   * its date.
   * `GET /v2/summary/sleep_cycle/{user_id}`
   */
  async listSleepCycles(
    userId: string,
    query: api.ListSleepCyclesQuery,
    options: RequestOptions = {},
  ): Promise<{
    sleep_cycle: api.SleepCycle[]
  }> {
    return this.http.json('GET', path`/v2/summary/sleep_cycle/${userId}`, { query, options })
  }

  /**
   * Read activity as it came. Days of activity with the fields that the provider sent, of each
   * provider by itself.
   * `GET /v2/summary/activity/{user_id}/raw`
   */
  async listRawActivities(
    userId: string,
    query: api.ListRawActivitiesQuery,
    options: RequestOptions = {},
  ): Promise<{
    activity: api.RawActivity[]
  }> {
    return this.http.json('GET', path`/v2/summary/activity/${userId}/raw`, { query, options })
  }

  /**
   * Read body as it came. Body measurements with the fields that the provider sent, of each
   * provider by itself.
   * `GET /v2/summary/body/{user_id}/raw`
   */
  async listRawBodyMeasurements(
    userId: string,
    query: api.ListRawBodyMeasurementsQuery,
    options: RequestOptions = {},
  ): Promise<{
    body: api.RawBody[]
  }> {
    return this.http.json('GET', path`/v2/summary/body/${userId}/raw`, { query, options })
  }

  /**
   * Read sleep as it came. Sleeps with the fields that the provider sent, of each provider by
   * itself.
   * `GET /v2/summary/sleep/{user_id}/raw`
   */
  async listRawSleeps(
    userId: string,
    query: api.ListRawSleepsQuery,
    options: RequestOptions = {},
  ): Promise<{
    sleep: api.RawSleep[]
  }> {
    return this.http.json('GET', path`/v2/summary/sleep/${userId}/raw`, { query, options })
  }

  /**
   * Read workouts as it came. Workouts with the fields that the provider sent, of each provider by
   * itself.
   * `GET /v2/summary/workouts/{user_id}/raw`
   */
  async listRawWorkouts(
    userId: string,
    query: api.ListRawWorkoutsQuery,
    options: RequestOptions = {},
  ): Promise<{
    workouts: api.RawWorkout[]
  }> {
    return this.http.json('GET', path`/v2/summary/workouts/${userId}/raw`, { query, options })
  }

  /**
   * Read the profile as it came. The profile with the fields that the provider sent.
   * `GET /v2/summary/profile/{user_id}/raw`
   */
  async getRawProfile(
    userId: string,
    query: api.GetRawProfileQuery = {},
    options: RequestOptions = {},
  ): Promise<{
    profile: api.RawProfile
  }> {
    return this.http.json('GET', path`/v2/summary/profile/${userId}/raw`, { query, options })
  }

  /**
   * Read the devices that data named. Devices with the fields that the provider sent.
   * `GET /v2/summary/devices/{user_id}/raw`
   */
  async listRawDevices(
    userId: string,
    query: api.ListRawDevicesQuery = {},
    options: RequestOptions = {},
  ): Promise<{
    devices: api.RawDevice[]
  }> {
    return this.http.json('GET', path`/v2/summary/devices/${userId}/raw`, { query, options })
  }

  /**
   * Read the stream of a workout. What was measured during the workout, as lists of one length: the
   * times and the values at them.
   * `GET /v2/timeseries/workouts/{workout_id}/stream`
   */
  async getWorkoutStream(
    workoutId: string,
    options: RequestOptions = {},
  ): Promise<api.WorkoutStream> {
    return this.http.json('GET', path`/v2/timeseries/workouts/${workoutId}/stream`, { options })
  }

  /**
   * Read the samples of a sleep. What was measured during the sleep: heart rate, its variability,
   * respiratory rate, the stages.
   * `GET /v2/timeseries/sleep/{sleep_id}/stream`
   */
  async getSleepStream(sleepId: string, options: RequestOptions = {}): Promise<api.SleepStream> {
    return this.http.json('GET', path`/v2/timeseries/sleep/${sleepId}/stream`, { options })
  }

  /**
   * Read days of activity, all sources as one. One object for each local day of the person. Dates
   * only; a date-time is cut to its date.
   * `GET /v2/summary/activity/{user_id}/merged`
   */
  async getMergedActivities(
    userId: string,
    query: api.GetMergedActivitiesQuery,
    options: RequestOptions = {},
  ): Promise<api.MergedActivity> {
    return this.http.json('GET', path`/v2/summary/activity/${userId}/merged`, { query, options })
  }
}

export class Imports extends Resource {
  /**
   * Import an Apple Health export. Send export.zip or export.xml as the body, or as the file of a
   * form. The answer is a job; read it to follow the import.
   * `POST /v2/user/{user_id}/import/apple_health`
   */
  async appleHealth(
    userId: string,
    body: Blob | Uint8Array | ReadableStream<Uint8Array>,
    query: api.ImportAppleHealthQuery = {},
    options: RequestOptions = {},
  ): Promise<api.ImportJob> {
    return this.http.json('POST', path`/v2/user/${userId}/import/apple_health`, {
      file: body,
      query,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Imports of a user, newest first. Jobs that read export files of the person, with how far each
   * has come.
   * `GET /v2/user/{user_id}/import`
   */
  list(
    userId: string,
    query: api.ListImportsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.ImportJobList, api.ImportJob> {
    return new Paged('cursor', 'jobs', query, (query) =>
      this.http.json('GET', path`/v2/user/${userId}/import`, { query, options }),
    )
  }

  /**
   * Progress and result of an import. How far the job has come; once it has ended, what was stored,
   * put aside and not understood.
   * `GET /v2/user/{user_id}/import/{job_id}`
   */
  async get(userId: string, jobId: string, options: RequestOptions = {}): Promise<api.ImportJob> {
    return this.http.json('GET', path`/v2/user/${userId}/import/${jobId}`, { options })
  }
}

export class Timeseries extends Resource {
  /**
   * List the charts of a person. Series of numbers of which the person has samples, with the first
   * and the last.
   * `GET /v2/timeseries/{user_id}/charts`
   */
  async listCharts(userId: string, options: RequestOptions = {}): Promise<api.ChartList> {
    return this.http.json('GET', path`/v2/timeseries/${userId}/charts`, { options })
  }
}

export class SourcePriorities extends Resource {
  /**
   * Read which sources count first. For each type of data the providers of the team, the larger
   * number first. Users may differ.
   * `GET /v2/team/source/priorities`
   */
  async listOfTeam(
    query: api.ListTeamSourcePrioritiesQuery = {},
    options: RequestOptions = {},
  ): Promise<api.TeamSourcePriority[]> {
    return this.http.json('GET', path`/v2/team/source/priorities`, { query, options })
  }

  /**
   * Set which sources count first. Pairs that are not named keep their value, all of them where
   * there is no body.
   * `PATCH /v2/team/source/priorities`
   */
  async updateOfTeam(
    body?: api.TeamSourcePriorityChange[] | null,
    options: RequestOptions = {},
  ): Promise<api.TeamSourcePriority[]> {
    return this.http.json('PATCH', path`/v2/team/source/priorities`, { body, options })
  }

  /**
   * Read which sources count first for one person. Rules of the person alone; where they say
   * nothing, the team's hold.
   * `GET /v2/user/{user_id}/source_priorities`
   */
  async getOfUser(userId: string, options: RequestOptions = {}): Promise<api.UserSourcePriorities> {
    return this.http.json('GET', path`/v2/user/${userId}/source_priorities`, { options })
  }

  /**
   * Replace which sources count first for one person. The whole list of the person; an empty list
   * gives the priorities of the team back.
   * `PUT /v2/user/{user_id}/source_priorities`
   */
  async replaceOfUser(
    userId: string,
    body: api.UserSourcePrioritiesInput,
    options: RequestOptions = {},
  ): Promise<api.UserSourcePriorities> {
    return this.http.json('PUT', path`/v2/user/${userId}/source_priorities`, { body, options })
  }
}

export class Introspection extends Resource {
  /**
   * How far the history of connections has come. For each connection and resource, whether its
   * history has come, and from which time to which.
   * `GET /v2/introspect/historical_pull`
   */
  listHistoricalPulls(
    query: api.ListHistoricalPullsQuery = {},
    options: RequestOptions = {},
  ): Paged<
    api.HistoricalPulls,
    {
      /**
       * Id of the person.
       * @format uuid
       */
      user_id: string
      /** Slug of the provider. */
      provider: Record<
        string,
        {
          pulled: Record<string, api.PullStatistics>
          not_pulled: string[]
        }
      >
    }
  > {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v2/introspect/historical_pull`, { query, options }),
    )
  }

  /**
   * What connections have of each resource. For each connection and resource, how much has come,
   * the oldest and the newest of it.
   * `GET /v2/introspect/resources`
   */
  listResourceStatistics(
    query: api.ListResourceStatisticsQuery = {},
    options: RequestOptions = {},
  ): Paged<
    api.ResourceStatisticsList,
    {
      /**
       * Id of the person.
       * @format uuid
       */
      user_id: string
      /** By provider and resource. */
      provider: Record<string, Record<string, api.ResourceStatistics>>
    }
  > {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v2/introspect/resources`, { query, options }),
    )
  }
}

export class Queries extends Resource {
  /**
   * Query a user's data as tables. Times are those of the wall clock where the person was. The
   * scores of `derived_readiness` and `sleep_score` are plain formulas and no medical advice.
   * `POST /aggregate/v1/user/{user_id}/query`
   */
  async run(
    userId: string,
    body: api.QueryRequest,
    options: RequestOptions = {},
  ): Promise<api.QueryResponse> {
    return this.http.json('POST', path`/aggregate/v1/user/${userId}/query`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Query a user's data as tables. Times are those of the wall clock where the person was. The
   * scores of `derived_readiness` and `sleep_score` are plain formulas and no medical advice. The
   * answer is application/vnd.service.tar+gzip+parquet.
   * `POST /aggregate/v1/user/{user_id}/query`
   */
  async runParquet(
    userId: string,
    body: api.QueryRequest,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('POST', path`/aggregate/v1/user/${userId}/query`, {
      body,
      isRepeatable: true,
      accept: 'application/vnd.service.tar+gzip+parquet',
      options,
    })
  }

  /**
   * List the tables that queries read, with their columns. Tables of summaries and series with
   * their columns, the same for every team.
   * `GET /aggregate/v1/table`
   */
  async listTables(options: RequestOptions = {}): Promise<api.QueryTables> {
    return this.http.json('GET', path`/aggregate/v1/table`, { options })
  }
}

export class ContinuousQueries extends Resource {
  /**
   * Read the result table of a person. As JSON, or as one Parquet file
   * (application/vnd.apache.parquet).
   * `GET /aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/result_table`
   */
  async getResultTable(
    userId: string,
    queryIdOrSlug: string,
    options: RequestOptions = {},
  ): Promise<api.ContinuousQueryResultTable> {
    return this.http.json(
      'GET',
      path`/aggregate/v1/user/${userId}/continuous_query/${queryIdOrSlug}/result_table`,
      { options },
    )
  }

  /**
   * Read the result table of a person. As JSON, or as one Parquet file
   * (application/vnd.apache.parquet). The answer is application/vnd.apache.parquet.
   * `GET /aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/result_table`
   */
  async getResultTableParquet(
    userId: string,
    queryIdOrSlug: string,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes(
      'GET',
      path`/aggregate/v1/user/${userId}/continuous_query/${queryIdOrSlug}/result_table`,
      { accept: 'application/vnd.apache.parquet', options },
    )
  }

  /**
   * List the evaluations for a person, newest first. When the query was evaluated for the person,
   * and how that ended.
   * `GET /aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/task_history`
   */
  listTasks(
    userId: string,
    queryIdOrSlug: string,
    query: api.ListContinuousQueryTasksQuery = {},
    options: RequestOptions = {},
  ): Paged<api.ContinuousQueryTaskHistory, api.ContinuousQueryTask> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/aggregate/v1/user/${userId}/continuous_query/${queryIdOrSlug}/task_history`,
        { query, options },
      ),
    )
  }
}

export class LabTests extends Resource {
  /**
   * List labs. Laboratories of the catalog, with their ways of collecting and their samples.
   * `GET /v3/lab_tests/labs`
   */
  async listLabs(options: RequestOptions = {}): Promise<api.Lab[]> {
    return this.http.json('GET', path`/v3/lab_tests/labs`, { options })
  }

  /**
   * List lab accounts of the team. Accounts at laboratories that the team may order under.
   * `GET /v3/lab_test/lab_account`
   */
  async listLabAccounts(
    query: api.ListLabAccountsQuery = {},
    options: RequestOptions = {},
  ): Promise<{
    /** The items. */
    data: api.LabAccount[]
  }> {
    return this.http.json('GET', path`/v3/lab_test/lab_account`, { query, options })
  }

  /**
   * List lab tests. What can be ordered, in pages, by markers, laboratory, method, status or name.
   * `GET /v3/lab_test`
   */
  list(
    query: api.ListLabTestsQuery = {},
    options: RequestOptions = {},
  ): Paged<
    {
      /** The items. */
      data: api.LabTest[]
      /** Asks for the next page; null on the last one. */
      next_cursor: string | null
      pricing: api.LabTestPricing | null
    },
    api.LabTest
  > {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v3/lab_test`, { query, options }),
    )
  }

  /**
   * Create a lab test. A lab test of chosen markers of one laboratory. It may need the approval of
   * the operator.
   * `POST /v3/lab_tests`
   */
  async create(body: api.LabTestCreate, options: RequestOptions = {}): Promise<api.LabTest> {
    return this.http.json('POST', path`/v3/lab_tests`, { body, options })
  }

  /**
   * Read a lab test. A lab test with its markers and the laboratory that does it.
   * `GET /v3/lab_tests/{lab_test_id}`
   */
  async get(
    labTestId: string,
    query: api.GetLabTestQuery = {},
    options: RequestOptions = {},
  ): Promise<api.LabTest> {
    return this.http.json('GET', path`/v3/lab_tests/${labTestId}`, { query, options })
  }

  /**
   * Rename, archive or restore a lab test. An archived lab test cannot be ordered; orders that have
   * it go on.
   * `PATCH /v3/lab_tests/{lab_test_id}`
   */
  async update(
    labTestId: string,
    body: api.LabTestUpdate,
    options: RequestOptions = {},
  ): Promise<api.LabTest> {
    return this.http.json('PATCH', path`/v3/lab_tests/${labTestId}`, { body, options })
  }
}

export class Markers extends Resource {
  /**
   * List the markers of a lab test, with what may follow from their results. With the results that
   * each marker is expected to have, and the questions at order entry.
   * `GET /v3/lab_tests/{lab_test_id}/markers`
   */
  listOfLabTest(
    labTestId: string,
    query: api.ListLabTestMarkersQuery = {},
    options: RequestOptions = {},
  ): Paged<api.MarkerPage, api.MarkerComplete> {
    return new Paged('page', 'markers', query, (query) =>
      this.http.json('GET', path`/v3/lab_tests/${labTestId}/markers`, { query, options }),
    )
  }

  /**
   * List markers that can be ordered. Markers of all laboratories, in pages, by name or laboratory.
   * `GET /v3/lab_tests/markers`
   */
  list(
    query: api.ListMarkersQuery = {},
    options: RequestOptions = {},
  ): Paged<api.MarkerPage, api.MarkerComplete> {
    return new Paged('page', 'markers', query, (query) =>
      this.http.json('GET', path`/v3/lab_tests/markers`, { query, options }),
    )
  }

  /**
   * List the markers that an order set would order. Each marker once, whichever lab tests of the
   * set have it.
   * `POST /v3/lab_tests/list_order_set_markers`
   */
  listOfOrderSet(
    body: api.OrderSetRequest,
    query: api.ListOrderSetMarkersQuery = {},
    options: RequestOptions = {},
  ): Paged<api.MarkerPage, api.MarkerComplete> {
    return new Paged('page', 'markers', query, (query) =>
      this.http.json('POST', path`/v3/lab_tests/list_order_set_markers`, {
        body,
        query,
        isRepeatable: true,
        options,
      }),
    )
  }

  /**
   * Read a marker by the laboratory's code. A marker as the laboratory calls it.
   * `GET /v3/lab_tests/{lab_id}/markers/{provider_id}`
   */
  async getByProviderId(
    labId: string,
    providerId: string,
    query: api.GetMarkerByProviderIdQuery = {},
    options: RequestOptions = {},
  ): Promise<api.Marker> {
    return this.http.json('GET', path`/v3/lab_tests/${labId}/markers/${providerId}`, {
      query,
      options,
    })
  }
}

export class Compendium extends Resource {
  /**
   * Find tests whatever the lab, or what each lab offers for one. `canonical` takes `query` and a
   * `limit` up to 10; `crosswalk` takes either `query` or `loinc_set_hash` and a `limit` up to 20.
   * `POST /v3/compendium/search`
   */
  async search(
    body: api.CompendiumSearch,
    options: RequestOptions = {},
  ): Promise<api.CompendiumAnswer> {
    return this.http.json('POST', path`/v3/compendium/search`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Convert a lab test, or codes of a lab, to another lab. Give exactly one of `lab_test_id` and
   * `provider_ids`.
   * `POST /v3/compendium/convert`
   */
  async convert(
    body: api.CompendiumConversion,
    options: RequestOptions = {},
  ): Promise<api.ConversionAnswer> {
    return this.http.json('POST', path`/v3/compendium/convert`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Find what a lab offers for codes of other labs. For each code the closest tests of the
   * laboratory that is asked for.
   * `POST /v3/compendium/search_orderable_tests`
   */
  async searchOrderableTests(
    body: api.OrderableTestsSearch,
    options: RequestOptions = {},
  ): Promise<api.OrderableTests> {
    return this.http.json('POST', path`/v3/compendium/search_orderable_tests`, {
      body,
      isRepeatable: true,
      options,
    })
  }
}

export class Insurance extends Resource {
  /**
   * Add insurance of a user. The newest primary one is billed. What was stored before stays as it
   * is.
   * `POST /v2/user/{user_id}/insurance`
   */
  async create(
    userId: string,
    body: api.InsuranceCreate,
    options: RequestOptions = {},
  ): Promise<api.Insurance> {
    return this.http.json('POST', path`/v2/user/${userId}/insurance`, { body, options })
  }

  /**
   * List the insurance of a user, newest first. Everything that was ever added, with which of it is
   * billed.
   * `GET /v2/user/{user_id}/insurance`
   */
  list(
    userId: string,
    query: api.ListInsuranceQuery = {},
    options: RequestOptions = {},
  ): Paged<api.InsuranceList, api.StoredInsurance> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v2/user/${userId}/insurance`, { query, options }),
    )
  }

  /**
   * Read the newest insurance of a user. The one that was added last, with the name and address of
   * its payor.
   * `GET /v2/user/{user_id}/insurance/latest`
   */
  async getLatest(
    userId: string,
    query: api.GetLatestInsuranceQuery = {},
    options: RequestOptions = {},
  ): Promise<api.Insurance> {
    return this.http.json('GET', path`/v2/user/${userId}/insurance/latest`, { query, options })
  }

  /**
   * Search payors. By name, typing errors forgiven, or by the id that a clearing house knows the
   * payor by. The best match is first.
   * `GET /v3/insurance/search/payor`
   */
  async searchPayors(
    query: api.SearchPayorsQuery = {},
    options: RequestOptions = {},
  ): Promise<api.Payor[]> {
    return this.http.json('GET', path`/v3/insurance/search/payor`, { query, options })
  }

  /**
   * Add a payor. For an insurer that the search does not find. Adding the same one again gives the
   * one that is there.
   * `POST /v3/payor`
   */
  async createPayor(body: api.PayorCreate, options: RequestOptions = {}): Promise<api.Payor> {
    return this.http.json('POST', path`/v3/payor`, { body, options })
  }

  /**
   * Search diagnosis codes. Codes of ICD-10-CM that are valid for claims, best match first: by
   * code, with or without the dot, by the beginning of one, or by words of the description, whose
   * spelling is forgiven. At most 100.
   * `GET /v3/insurance/search/diagnosis`
   */
  async searchDiagnoses(
    query: api.SearchDiagnosesQuery,
    options: RequestOptions = {},
  ): Promise<api.Diagnosis[]> {
    return this.http.json('GET', path`/v3/insurance/search/diagnosis`, { query, options })
  }

  /**
   * Validate diagnosis codes. Tells codes that claims cannot have, pairs that exclude each other,
   * and pairs that overlap.
   * `POST /v3/insurance/validate_icd_codes`
   */
  async validateIcdCodes(
    body: {
      /** In either case, with or without the dot. */
      codes: string[]
    },
    options: RequestOptions = {},
  ): Promise<api.IcdValidation> {
    return this.http.json('POST', path`/v3/insurance/validate_icd_codes`, {
      body,
      isRepeatable: true,
      options,
    })
  }
}

export class Orders extends Resource {
  /**
   * Place an order. Checks the order, stores it, and hands it over to the laboratory in the
   * background. An idempotency key makes a repeat safe.
   * `POST /v3/order`
   */
  async create(
    body: api.OrderCreate,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('POST', path`/v3/order`, { body, isKeyed: true, options })
  }

  /**
   * Place an order, or replace one. What a replacement leaves out is copied from the order it
   * replaces.
   * `POST /v3/order/create`
   */
  async createOrReplace(
    body: api.OrderCreateOrReplace,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('POST', path`/v3/order/create`, { body, isKeyed: true, options })
  }

  /**
   * Validate an order without placing it. Takes what placing takes, as far as it is filled in.
   * Tells everything for which the order would be refused, and what it has to hold.
   * `POST /v3/order/validate`
   */
  async validate(
    body: api.OrderCreateOrReplace,
    options: RequestOptions = {},
  ): Promise<api.OrderValidation> {
    return this.http.json('POST', path`/v3/order/validate`, { body, isRepeatable: true, options })
  }

  /**
   * Store an order placed elsewhere. Keeps an order that the laboratory has already, so that its
   * results find a place.
   * `POST /v3/order/import`
   */
  async import(
    body: api.OrderImport,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('POST', path`/v3/order/import`, { body, options })
  }

  /**
   * Order an unregistered kit. A kit is sent to the address. Who uses it is told when the kit is
   * registered.
   * `POST /v3/order/testkit`
   */
  async createTestkit(
    body: api.TestkitOrder,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('POST', path`/v3/order/testkit`, { body, options })
  }

  /**
   * Register a kit. Tells whose sample the kit will hold, with the consents.
   * `POST /v3/order/testkit/register`
   */
  async registerTestkit(
    body: api.TestkitRegistration,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('POST', path`/v3/order/testkit/register`, { body, options })
  }

  /**
   * List orders. In pages, by any of the filters together, with the exact number of all that fit.
   * `GET /v3/orders`
   */
  list(
    query: api.ListOrdersQuery = {},
    options: RequestOptions = {},
  ): Paged<api.GetOrdersResponse, api.Order> {
    return new Paged('page', 'orders', query, (query) =>
      this.http.json('GET', path`/v3/orders`, { query, options }),
    )
  }

  /**
   * Read an order. The order with every event of its way.
   * `GET /v3/order/{order_id}`
   */
  async get(orderId: string, options: RequestOptions = {}): Promise<api.Order> {
    return this.http.json('GET', path`/v3/order/${orderId}`, { options })
  }

  /**
   * Reschedule an order. Moves the day on which an order that waits is handed over.
   * `PATCH /v3/order/{order_id}`
   */
  async reschedule(
    orderId: string,
    body: api.OrderPatch,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('PATCH', path`/v3/order/${orderId}`, { body, options })
  }

  /**
   * Read an order transaction. The orders of one need: the first, its replacements and its redraws.
   * `GET /v3/order_transaction/{transaction_id}`
   */
  async getTransaction(
    transactionId: string,
    options: RequestOptions = {},
  ): Promise<api.OrderTransactionDetails> {
    return this.http.json('GET', path`/v3/order_transaction/${transactionId}`, { options })
  }

  /**
   * List physicians of the team. Physicians who ordered for the team, and whom the operator gave
   * it, by name.
   * `GET /v2/team/{team_id}/physicians`
   */
  async listPhysicians(teamId: string, options: RequestOptions = {}): Promise<api.Physician[]> {
    return this.http.json('GET', path`/v2/team/${teamId}/physicians`, { options })
  }

  /**
   * Tell what may come of an order. The statuses that the order may take next with what brings each
   * about, and what the team may ask of it.
   * `GET /v3/order/{order_id}/transition`
   */
  async listTransitions(
    orderId: string,
    options: RequestOptions = {},
  ): Promise<api.PossibleTransitions> {
    return this.http.json('GET', path`/v3/order/${orderId}/transition`, { options })
  }

  /**
   * Cancel an order. As long as the laboratory has not begun.
   * `POST /v3/order/{order_id}/cancel`
   */
  async cancel(orderId: string, options: RequestOptions = {}): Promise<api.PostOrderResponse> {
    return this.http.json('POST', path`/v3/order/${orderId}/cancel`, { options })
  }

  /**
   * Report a draw on site. For orders that are drawn on site.
   * `PATCH /v3/order/{order_id}/draw_completed`
   */
  async completeDraw(
    orderId: string,
    options: RequestOptions = {},
  ): Promise<api.PostOrderResponse> {
    return this.http.json('PATCH', path`/v3/order/${orderId}/draw_completed`, { options })
  }

  /**
   * Send the latest message of orders again. For orders by id, or for those that changed within a
   * time of at most 60 days.
   * `POST /v3/order/resend_events`
   */
  async resendEvents(
    body: api.ResendEvents,
    options: RequestOptions = {},
  ): Promise<{
    /** Ids of orders. */
    order_ids: string[]
  }> {
    return this.http.json('POST', path`/v3/order/resend_events`, { body, options })
  }

  /**
   * Read how a patient is told. Whether the patient gets text messages about the order.
   * `GET /v3/order/{order_id}/communication_settings`
   */
  async getCommunicationSettings(
    orderId: string,
    options: RequestOptions = {},
  ): Promise<api.CommunicationSettings> {
    return this.http.json('GET', path`/v3/order/${orderId}/communication_settings`, { options })
  }

  /**
   * Change how a patient is told. Whether the patient gets text messages about the order.
   * `PATCH /v3/order/{order_id}/communication_settings`
   */
  async updateCommunicationSettings(
    orderId: string,
    body: {
      /** Whether the patient gets text messages. */
      sms_enabled: boolean
    },
    options: RequestOptions = {},
  ): Promise<api.CommunicationSettings> {
    return this.http.json('PATCH', path`/v3/order/${orderId}/communication_settings`, {
      body,
      options,
    })
  }
}

export class Appointments extends Resource {
  /**
   * Tell what an area is served by. Who comes to patients of a ZIP code, and which laboratories
   * have service centers around it.
   * `GET /v3/order/area/info`
   */
  async getAreaInfo(
    query: api.GetAreaInfoQuery,
    options: RequestOptions = {},
  ): Promise<api.AreaInfo> {
    return this.http.json('GET', path`/v3/order/area/info`, { query, options })
  }

  /**
   * List service centers around a ZIP code. The nearest 30 sites of a laboratory around a ZIP code.
   * The header `x-salus-warning` tells when there can be none.
   * `GET /v3/order/psc/info`
   */
  async listServiceCenters(
    query: api.ListServiceCentersQuery,
    options: RequestOptions = {},
  ): Promise<api.PatientServiceCenters> {
    return this.http.json('GET', path`/v3/order/psc/info`, { query, options })
  }

  /**
   * List service centers around an order's patient. The nearest 30 sites of the order's laboratory
   * around the patient's ZIP code.
   * `GET /v3/order/{order_id}/psc/info`
   */
  async listServiceCentersOfOrder(
    orderId: string,
    query: api.ListServiceCentersOfOrderQuery = {},
    options: RequestOptions = {},
  ): Promise<api.PatientServiceCenters> {
    return this.http.json('GET', path`/v3/order/${orderId}/psc/info`, { query, options })
  }

  /**
   * Find slots of visits at an address. Of 14 local days, each with the slots that can be booked.
   * Where nobody comes the days are empty.
   * `POST /v3/order/phlebotomy/appointment/availability`
   */
  async getPhlebotomyAvailability(
    body: api.USAddressInput,
    query: api.GetPhlebotomyAppointmentAvailabilityQuery = {},
    options: RequestOptions = {},
  ): Promise<api.AppointmentAvailabilitySlots> {
    return this.http.json('POST', path`/v3/order/phlebotomy/appointment/availability`, {
      body,
      query,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Book a visit. At the address of the order. The key tells the slot and whose it is; it is one of
   * the ZIP code of the order's patient.
   * `POST /v3/order/{order_id}/phlebotomy/appointment/book`
   */
  async bookPhlebotomy(
    orderId: string,
    body: api.AppointmentBookingRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('POST', path`/v3/order/${orderId}/phlebotomy/appointment/book`, {
      body,
      options,
    })
  }

  /**
   * Request a visit. Of a provider that sets the time itself, and tells it later. The appointment
   * is pending until then.
   * `POST /v3/order/{order_id}/phlebotomy/appointment/request`
   */
  async requestPhlebotomy(
    orderId: string,
    body: api.RequestAppointmentRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('POST', path`/v3/order/${orderId}/phlebotomy/appointment/request`, {
      body,
      options,
    })
  }

  /**
   * Move a visit. To another slot of the same provider.
   * `PATCH /v3/order/{order_id}/phlebotomy/appointment/reschedule`
   */
  async reschedulePhlebotomy(
    orderId: string,
    body: api.AppointmentRescheduleRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('PATCH', path`/v3/order/${orderId}/phlebotomy/appointment/reschedule`, {
      body,
      options,
    })
  }

  /**
   * Cancel a visit. Free of charge until 24 hours before the start.
   * `PATCH /v3/order/{order_id}/phlebotomy/appointment/cancel`
   */
  async cancelPhlebotomy(
    orderId: string,
    body: api.AppointmentCancelRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('PATCH', path`/v3/order/${orderId}/phlebotomy/appointment/cancel`, {
      body,
      options,
    })
  }

  /**
   * List reasons to cancel a visit. Their ids never change.
   * `GET /v3/order/phlebotomy/appointment/cancellation-reasons`
   */
  async listPhlebotomyCancellationReasons(
    options: RequestOptions = {},
  ): Promise<api.AppointmentCancellationReason[]> {
    return this.http.json('GET', path`/v3/order/phlebotomy/appointment/cancellation-reasons`, {
      options,
    })
  }

  /**
   * Read the visit of an order. The active one, or the newest when none is active.
   * `GET /v3/order/{order_id}/phlebotomy/appointment`
   */
  async getPhlebotomy(orderId: string, options: RequestOptions = {}): Promise<api.Appointment> {
    return this.http.json('GET', path`/v3/order/${orderId}/phlebotomy/appointment`, { options })
  }

  /**
   * Find slots at service centers. Of 14 local days of each site: of the sites that are named, or
   * of the three nearest to a ZIP code.
   * `POST /v3/order/psc/appointment/availability`
   */
  async getPscAvailability(
    query: api.GetPscAppointmentAvailabilityQuery,
    options: RequestOptions = {},
  ): Promise<api.AppointmentAvailabilitySlots> {
    return this.http.json('POST', path`/v3/order/psc/appointment/availability`, {
      query,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Book a slot at a service center. A laboratory that is slow is waited for, or answers later:
   * `async_confirmation`. An idempotency key makes a repeat safe.
   * `POST /v3/order/{order_id}/psc/appointment/book`
   */
  async bookPsc(
    orderId: string,
    body: api.AppointmentBookingRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('POST', path`/v3/order/${orderId}/psc/appointment/book`, {
      body,
      isKeyed: true,
      options,
    })
  }

  /**
   * Move an appointment at a service center. To another slot, also at another site of the
   * laboratory.
   * `PATCH /v3/order/{order_id}/psc/appointment/reschedule`
   */
  async reschedulePsc(
    orderId: string,
    body: api.AppointmentRescheduleRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('PATCH', path`/v3/order/${orderId}/psc/appointment/reschedule`, {
      body,
      options,
    })
  }

  /**
   * Cancel an appointment at a service center. The body is in camelCase; snake_case is taken too.
   * `PATCH /v3/order/{order_id}/psc/appointment/cancel`
   */
  async cancelPsc(
    orderId: string,
    body: api.PatientServiceCenterAppointmentCancelRequest,
    options: RequestOptions = {},
  ): Promise<api.Appointment> {
    return this.http.json('PATCH', path`/v3/order/${orderId}/psc/appointment/cancel`, {
      body,
      options,
    })
  }

  /**
   * List reasons to cancel an appointment at a service center. Their ids never change.
   * `GET /v3/order/psc/appointment/cancellation-reasons`
   */
  async listPscCancellationReasons(
    options: RequestOptions = {},
  ): Promise<api.AppointmentCancellationReason[]> {
    return this.http.json('GET', path`/v3/order/psc/appointment/cancellation-reasons`, { options })
  }

  /**
   * Read an order's appointment at a service center. The active one, or the newest when none is
   * active.
   * `GET /v3/order/{order_id}/psc/appointment`
   */
  async getPsc(orderId: string, options: RequestOptions = {}): Promise<api.Appointment> {
    return this.http.json('GET', path`/v3/order/${orderId}/psc/appointment`, { options })
  }

  /**
   * List the appointments of a person. Of all orders, the one that was made last first, cancelled
   * ones included.
   * `GET /v3/user/{user_id}/appointment`
   */
  list(
    userId: string,
    query: api.ListAppointmentsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.AppointmentList, api.Appointment> {
    return new Paged('cursor', 'appointments', query, (query) =>
      this.http.json('GET', path`/v3/user/${userId}/appointment`, { query, options }),
    )
  }
}

export class Documents extends Resource {
  /**
   * Requisition of an order. What the patient takes to the laboratory.
   * `GET /v3/order/{order_id}/requisition/pdf`
   */
  async getRequisition(orderId: string, options: RequestOptions = {}): Promise<Response> {
    return this.http.bytes('GET', path`/v3/order/${orderId}/requisition/pdf`, {
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * Notice for patients who may have to pay. The advance beneficiary notice, for the patient to
   * sign; 404 when the order needs none.
   * `GET /v3/order/{order_id}/abn_pdf`
   */
  async getAbn(orderId: string, options: RequestOptions = {}): Promise<Response> {
    return this.http.bytes('GET', path`/v3/order/${orderId}/abn_pdf`, {
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * Collection instructions of an order. How to take the sample of the order.
   * `GET /v3/order/{order_id}/collection_instruction_pdf`
   */
  async getCollectionInstructions(
    orderId: string,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/v3/order/${orderId}/collection_instruction_pdf`, {
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * Tube labels of an order. Labels for the tubes of a draw on site.
   * `GET /v3/order/{order_id}/labels/pdf`
   */
  async getLabels(
    orderId: string,
    query: api.GetOrderLabelsQuery,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/v3/order/${orderId}/labels/pdf`, {
      query,
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * Collection instructions of a lab test. How to take the sample of the lab test.
   * `GET /v3/lab_test/{lab_test_id}/collection_instruction_pdf`
   */
  async getCollectionInstructionsOfLabTest(
    labTestId: string,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/v3/lab_test/${labTestId}/collection_instruction_pdf`, {
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * List the documents of a person. Every document that can be read now, of orders and of reports
   * that were uploaded, newest first. Tube labels are not among them: they need the time of
   * collection.
   * `GET /v3/user/{user_id}/document`
   */
  list(
    userId: string,
    query: api.ListDocumentsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.DocumentList, api.PersonDocument> {
    return new Paged('cursor', 'documents', query, (query) =>
      this.http.json('GET', path`/v3/user/${userId}/document`, { query, options }),
    )
  }
}

export class Results extends Resource {
  /**
   * Results of an order. The newest version, partial ones included, or an older one.
   * `GET /v3/order/{order_id}/result`
   */
  async get(
    orderId: string,
    query: api.GetOrderResultQuery = {},
    options: RequestOptions = {},
  ): Promise<api.LabResultsRaw> {
    return this.http.json('GET', path`/v3/order/${orderId}/result`, { query, options })
  }

  /**
   * Versions of the results of an order. Each report of the laboratory is a version: partial ones,
   * the final one, corrections. Read an older one with `version` of the other calls.
   * `GET /v3/order/{order_id}/result/version`
   */
  async listVersions(orderId: string, options: RequestOptions = {}): Promise<api.ResultVersions> {
    return this.http.json('GET', path`/v3/order/${orderId}/result/version`, { options })
  }

  /**
   * What the results of an order are of. Patient, laboratory, sample and dates, without the values.
   * `GET /v3/order/{order_id}/result/metadata`
   */
  async getMetadata(
    orderId: string,
    query: api.GetOrderResultMetadataQuery = {},
    options: RequestOptions = {},
  ): Promise<api.LabResultsMetadata> {
    return this.http.json('GET', path`/v3/order/${orderId}/result/metadata`, { query, options })
  }

  /**
   * The laboratory's report of an order. As the laboratory sent it, or made of its results.
   * `GET /v3/order/{order_id}/result/pdf`
   */
  async getReport(
    orderId: string,
    query: api.GetOrderResultReportQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/v3/order/${orderId}/result/pdf`, {
      query,
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * Results of all orders of a transaction as one. The newest order wins for each result; what no
   * order delivered is missing.
   * `GET /v3/order_transaction/{transaction_id}/result`
   */
  async getOfTransaction(
    transactionId: string,
    options: RequestOptions = {},
  ): Promise<api.LabResultsRaw> {
    return this.http.json('GET', path`/v3/order_transaction/${transactionId}/result`, { options })
  }

  /**
   * The laboratory's reports of all orders of a transaction, oldest first. One document of all
   * reports.
   * `GET /v3/order_transaction/{transaction_id}/result/pdf`
   */
  async getReportOfTransaction(
    transactionId: string,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/v3/order_transaction/${transactionId}/result/pdf`, {
      accept: 'application/pdf',
      options,
    })
  }

  /**
   * Results of a person. Of orders and of reports that were read, newest first; the newest version
   * of each order.
   * `GET /v3/user/{user_id}/result`
   */
  listOfUser(
    userId: string,
    query: api.ListPersonResultsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.PersonResults, api.PersonResult> {
    return new Paged('cursor', 'results', query, (query) =>
      this.http.json('GET', path`/v3/user/${userId}/result`, { query, options }),
    )
  }

  /**
   * One analyte of a person over time. All results that measure the same as the code does, by
   * whatever method, from orders and reports, in one unit. Mass and amount of substance become each
   * other where laboratories agree on the weight: phosphate as phosphorus, urea nitrogen as
   * nitrogen, hemoglobin as its subunits.
   * `GET /v3/user/{user_id}/result/trend`
   */
  async getTrend(
    userId: string,
    query: api.GetResultTrendQuery,
    options: RequestOptions = {},
  ): Promise<api.ResultTrend> {
    return this.http.json('GET', path`/v3/user/${userId}/result/trend`, { query, options })
  }
}

export class UnmatchedResults extends Resource {
  /**
   * Results that match no order safely. In pages, by state, reason, laboratory, time, or the
   * patient that the laboratory names.
   * `GET /v3/unmatched_result`
   */
  list(
    query: api.ListUnmatchedResultsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.UnmatchedResultList, api.UnmatchedResult> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v3/unmatched_result`, { query, options }),
    )
  }

  /**
   * A result that matches no order safely. With the orders that it may belong to, and what speaks
   * for each.
   * `GET /v3/unmatched_result/{raw_result_id}`
   */
  async get(rawResultId: string, options: RequestOptions = {}): Promise<api.UnmatchedResult> {
    return this.http.json('GET', path`/v3/unmatched_result/${rawResultId}`, { options })
  }

  /**
   * Attach the result to an order. Answers the order that has it now: the one that is named, or a
   * new one where that cannot take it.
   * `POST /v3/unmatched_result/{raw_result_id}/accept`
   */
  async accept(
    rawResultId: string,
    body?: api.AcceptUnmatchedResult | null,
    options: RequestOptions = {},
  ): Promise<api.Order> {
    return this.http.json('POST', path`/v3/unmatched_result/${rawResultId}/accept`, {
      body,
      options,
    })
  }

  /**
   * Reject the result, or leave it to the operators. A rejected result is kept, and can be taken up
   * again for a while.
   * `POST /v3/unmatched_result/{raw_result_id}/resolve`
   */
  async resolve(
    rawResultId: string,
    body: api.ResolveUnmatchedResult,
    options: RequestOptions = {},
  ): Promise<api.UnmatchedResult> {
    return this.http.json('POST', path`/v3/unmatched_result/${rawResultId}/resolve`, {
      body,
      options,
    })
  }

  /**
   * Take an accept or a reject back. For as long as nothing came after it; the result waits for a
   * decision again.
   * `POST /v3/unmatched_result/{raw_result_id}/undo`
   */
  async undo(rawResultId: string, options: RequestOptions = {}): Promise<api.UnmatchedResult> {
    return this.http.json('POST', path`/v3/unmatched_result/${rawResultId}/undo`, { options })
  }

  /**
   * Cases of unmatched results that a sandbox can try out. With the orders that each needs.
   * `GET /v3/unmatched_result_test/case`
   */
  async listTestCases(options: RequestOptions = {}): Promise<api.UnmatchedResultTestCaseList> {
    return this.http.json('GET', path`/v3/unmatched_result_test/case`, { options })
  }

  /**
   * Let an unmatched result come, in a sandbox. It happens in the background; ask for the run.
   * `POST /v3/unmatched_result_test`
   */
  async createTest(
    body: api.UnmatchedResultTestCreate,
    options: RequestOptions = {},
  ): Promise<api.UnmatchedResultTestAccepted> {
    return this.http.json('POST', path`/v3/unmatched_result_test`, { body, isKeyed: true, options })
  }

  /**
   * How far a test of unmatched results is. Once it has come, with the id of the unmatched result.
   * `GET /v3/unmatched_result_test/{run_id}`
   */
  async getTest(runId: string, options: RequestOptions = {}): Promise<api.UnmatchedResultTestRun> {
    return this.http.json('GET', path`/v3/unmatched_result_test/${runId}`, { options })
  }
}

export class LabReports extends Resource {
  /**
   * List parsing jobs, newest first. Without what was read; that is in each job.
   * `GET /lab_report/v1/parser/job`
   */
  list(
    query: api.ListParsingJobsQuery = {},
    options: RequestOptions = {},
  ): Paged<api.ParsingJobList, api.ParsingJobSummary> {
    return new Paged('cursor', 'jobs', query, (query) =>
      this.http.json('GET', path`/lab_report/v1/parser/job`, { query, options }),
    )
  }

  /**
   * Upload a lab report. A PDF, or JPEG and PNG images that are the pages of one report. It is read
   * on this machine, in the background; read the job, or wait for its webhook. A report that may be
   * of another person than the user waits for a reviewer.
   * `POST /lab_report/v1/parser/job`
   */
  async create(
    body: {
      /** A PDF, or the pages of one report as JPEG or PNG: the part once for each file, in order. */
      file: Blob[]
      /**
       * Id of the person.
       * @format uuid
       */
      user_id: string
      /** Whether a reviewer looks at it first. */
      needs_human_review?: boolean
    },
    options: RequestOptions = {},
  ): Promise<api.ParsingJob> {
    return this.http.json('POST', path`/lab_report/v1/parser/job`, {
      multipart: body,
      isKeyed: true,
      options,
    })
  }

  /**
   * Read a parsing job. The state of the job, and the results once it is completed.
   * `GET /lab_report/v1/parser/job/{job_id}`
   */
  async get(jobId: string, options: RequestOptions = {}): Promise<api.ParsingJob> {
    return this.http.json('GET', path`/lab_report/v1/parser/job/${jobId}`, { options })
  }

  /**
   * Delete a parsing job. With its files and results, in whatever state it is; what is being read
   * then comes to nothing.
   * `DELETE /lab_report/v1/parser/job/{job_id}`
   */
  async delete(jobId: string, options: RequestOptions = {}): Promise<api.Success> {
    return this.http.json('DELETE', path`/lab_report/v1/parser/job/${jobId}`, { options })
  }

  /**
   * Where the results of a report stand. For every field page, place and confidence, to be drawn on
   * the page as it was uploaded.
   * `GET /lab_report/v1/parser/job/{job_id}/evidence`
   */
  async getEvidence(jobId: string, options: RequestOptions = {}): Promise<api.LabReportEvidence> {
    return this.http.json('GET', path`/lab_report/v1/parser/job/${jobId}/evidence`, { options })
  }

  /**
   * A picture of a page of a report. Rendered when it is asked for; what evidence says of places is
   * in parts of it. For as long as files are kept.
   * `GET /lab_report/v1/parser/job/{job_id}/page/{number}`
   */
  async getPage(
    jobId: string,
    number: number,
    query: api.GetParsingJobPageQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.http.bytes('GET', path`/lab_report/v1/parser/job/${jobId}/page/${number}`, {
      query,
      accept: 'image/jpeg',
      options,
    })
  }

  /**
   * An uploaded file of a parsing job. As it was uploaded, until it is deleted.
   * `GET /lab_report/v1/parser/job/{job_id}/file/{number}`
   */
  async getFile(jobId: string, number: number, options: RequestOptions = {}): Promise<Response> {
    return this.http.bytes('GET', path`/lab_report/v1/parser/job/${jobId}/file/${number}`, {
      accept: 'application/pdf',
      options,
    })
  }
}

export class Sandbox extends Resource {
  /**
   * Connect a user to made-up data. The sandbox alone has demo connections.
   * `POST /v2/link/connect/demo`
   */
  async connectDemo(
    body: api.DemoConnection,
    options: RequestOptions = {},
  ): Promise<api.DemoConnectionResult> {
    return this.http.json('POST', path`/v2/link/connect/demo`, { body, options })
  }

  /**
   * Let an order go on. Takes the order step by step to the status that is asked for, or to its
   * results.
   * `POST /v3/order/{order_id}/test`
   */
  async simulateOrder(
    orderId: string,
    body?: api.OrderSimulation | null,
    query: api.SimulateOrderQuery = {},
    options: RequestOptions = {},
  ): Promise<{
    /** The state it is in. */
    status: string
    /** What happened, in words. */
    message: string
  }> {
    return this.http.json('POST', path`/v3/order/${orderId}/test`, { body, query, options })
  }

  /**
   * Tell where an order can be led. The statuses that simulating can lead the order to from where
   * it is.
   * `GET /v3/order/{order_id}/test`
   */
  async listSimulationTargets(
    orderId: string,
    options: RequestOptions = {},
  ): Promise<api.SimulationTargets> {
    return this.http.json('GET', path`/v3/order/${orderId}/test`, { options })
  }

  /**
   * Read the time of the sandbox. How far the time of the sandbox is ahead of the real time.
   * `GET /v3/sandbox/clock`
   */
  async getClock(options: RequestOptions = {}): Promise<api.SandboxClock> {
    return this.http.json('GET', path`/v3/sandbox/clock`, { options })
  }

  /**
   * Move the time of the sandbox forward. Whatever falls into that time happens before the answer.
   * `POST /v3/sandbox/advance`
   */
  async advanceClock(
    body: {
      /** How far to move, in seconds. */
      seconds: number
    },
    options: RequestOptions = {},
  ): Promise<api.SandboxAdvance> {
    return this.http.json('POST', path`/v3/sandbox/advance`, { body, options })
  }
}

export class Team extends Resource {
  /**
   * What the key or token of the request opens. The team and environment, the one person that it
   * reaches if it is limited to one, and whether it may change something.
   * `GET /v2/access`
   */
  async getAccess(options: RequestOptions = {}): Promise<api.CredentialReach> {
    return this.http.json('GET', path`/v2/access`, { options })
  }

  /**
   * Get the address of the webhook pages. Returns the address of the pages of webhooks in the
   * console. A person signs in there with an account of their own: a team key opens no console
   * session.
   * `GET /v2/team/svix/url`
   */
  async getWebhookPortal(options: RequestOptions = {}): Promise<api.WebhookPortal> {
    return this.http.json('GET', path`/v2/team/svix/url`, { options })
  }
}

export class TeamResources extends Resource {
  /** The people whose data a team holds, and their demographics. */
  readonly users = new Users(this.http)
  /** What can be connected, and what each person is connected to. */
  readonly connections = new Connections(this.http)
  /** What can be connected, and what each person is connected to. */
  readonly link = new Link(this.http)
  /** How apps on phones sign in for a person, and what they ask and tell besides uploads. */
  readonly mobile = new Mobile(this.http)
  /**
   * Everything of a person as a file, erasure with a receipt, how long data are kept, and legal
   * holds.
   */
  readonly dataRights = new DataRights(this.http)
  /** How assistants that speak the Model Context Protocol ask, by a key or a token. */
  readonly assistants = new Assistants(this.http)
  /** Uploads of samples and summaries, and what of them could not be stored. */
  readonly quarantine = new Quarantine(this.http)
  readonly summaries = new Summaries(this.http)
  /** Export files, which are read in the background. */
  readonly imports = new Imports(this.http)
  /** Samples of each series: by source, or all sources as one. */
  readonly timeseries = new Timeseries(this.http)
  /** Which source counts first when several tell the same. */
  readonly sourcePriorities = new SourcePriorities(this.http)
  /** How far the history of connections has come, and what they have of each resource. */
  readonly introspection = new Introspection(this.http)
  /** Questions about the data of one person, answered as tables in JSON or Parquet. */
  readonly queries = new Queries(this.http)
  /** Queries that are evaluated again whenever data of a person change. */
  readonly continuousQueries = new ContinuousQueries(this.http)
  /** Laboratories, lab accounts, markers, and the lab tests that can be ordered. */
  readonly labTests = new LabTests(this.http)
  /** Laboratories, lab accounts, markers, and the lab tests that can be ordered. */
  readonly markers = new Markers(this.http)
  /** Finds the same test across laboratories and translates their codes. */
  readonly compendium = new Compendium(this.http)
  /** Insurance of people, the payors behind it, and diagnosis codes. */
  readonly insurance = new Insurance(this.http)
  /** Places, finds, changes and cancels laboratory orders. */
  readonly orders = new Orders(this.http)
  /** Where and by whom samples are collected, and appointments for it. */
  readonly appointments = new Appointments(this.http)
  /** Requisitions, labels, notices and instructions of orders, as PDF. */
  readonly documents = new Documents(this.http)
  /** Results of orders, as data and as the report of the laboratory. */
  readonly results = new Results(this.http)
  /** Results that fit no order safely, and await a decision. */
  readonly unmatchedResults = new UnmatchedResults(this.http)
  /** Reports as files, of which structured results are made. */
  readonly labReports = new LabReports(this.http)
  /** Lets orders and the time of a sandbox go on. */
  readonly sandbox = new Sandbox(this.http)
  /** The team of the calling key. */
  readonly team = new Team(this.http)
}

export class AdminDataRights extends Resource {
  /**
   * List legal holds, newest first. At most 500, also those that were released.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/legal_hold`
   */
  async listLegalHolds(
    query: api.ListLegalHoldsQuery = {},
    options: AdminOptions = {},
  ): Promise<api.LegalHoldList> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/legal_hold`,
      { query, audience: 'management', options },
    )
  }

  /**
   * Place a legal hold on a person. Until it is released nothing of the person is removed: no
   * delete, no erasure, no retention.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/legal_hold`
   */
  async placeLegalHold(
    body: api.LegalHoldCreate,
    options: AdminOptions = {},
  ): Promise<api.LegalHold> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/legal_hold`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Release a legal hold. What waited for it goes on with the next run of its job.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/legal_hold/{hold_id}/release`
   */
  async releaseLegalHold(holdId: string, options: AdminOptions = {}): Promise<api.LegalHold> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/legal_hold/${holdId}/release`,
      { audience: 'management', options },
    )
  }

  /**
   * Read retention rules. What has no rule is kept for good.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/retention`
   */
  async getRetentionRules(options: AdminOptions = {}): Promise<api.RetentionRules> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/retention`,
      { audience: 'management', options },
    )
  }

  /**
   * Replace retention rules. They are applied once a day. Rules that the body does not name end.
   * `PUT /v1/org/{org_id}/team/{team_id}/{env}/retention`
   */
  async replaceRetentionRules(
    body: api.RetentionRulesInput,
    options: AdminOptions = {},
  ): Promise<api.RetentionRules> {
    const at = this.http.context(options)
    return this.http.json(
      'PUT',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/retention`,
      { body, audience: 'management', options },
    )
  }

  /**
   * List what retention rules can be made for. With the fewest and the most days that a rule may
   * have.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/retention/resource`
   */
  async listRetainedResources(options: AdminOptions = {}): Promise<api.RetainedResources> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/retention/resource`,
      { audience: 'management', options },
    )
  }

  /**
   * Tell what retention rules would remove. Counts what the rules of the body would remove now.
   * Nothing is changed.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/retention/dry_run`
   */
  async tryRetentionRules(
    body: api.RetentionRulesInput,
    options: AdminOptions = {},
  ): Promise<api.RetentionDryRun> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/retention/dry_run`,
      { body, audience: 'management', options },
    )
  }
}

export class AdminContinuousQueries extends Resource {
  /**
   * List continuous queries, archived ones too. Of one environment of a team, in pages.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/continuous_query`
   */
  list(
    query: api.ListContinuousQueriesQuery = {},
    options: AdminOptions = {},
  ): Paged<api.ContinuousQueryList, api.ContinuousQuery> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/continuous_query`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Create a continuous query. It is evaluated for everyone a minute later, and then for each
   * person whose data change.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/continuous_query`
   */
  async create(
    body: api.ContinuousQueryCreate,
    query: api.CreateContinuousQueryQuery = {},
    options: AdminOptions = {},
  ): Promise<api.ContinuousQuery> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/continuous_query`,
      { body, query, audience: 'management', options },
    )
  }

  /**
   * Check a continuous query without creating it. Says what is wrong with it, or which columns its
   * results have.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/validate_continuous_query`
   */
  async validate(
    body: api.ContinuousQueryCreate,
    options: AdminOptions = {},
  ): Promise<api.ContinuousQueryValidation> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/validate_continuous_query`,
      { body, audience: 'management', isRepeatable: true, options },
    )
  }

  /**
   * Change the title or the schedule of a continuous query. The query itself cannot change; create
   * another one.
   * `PATCH /v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id}`
   */
  async update(
    queryId: string,
    body: api.ContinuousQueryUpdate,
    options: AdminOptions = {},
  ): Promise<api.ContinuousQuery> {
    const at = this.http.context(options)
    return this.http.json(
      'PATCH',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/continuous_query/${queryId}`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Archive a continuous query. It is not evaluated any more; its results stay readable.
   * `DELETE /v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id}`
   */
  async archive(queryId: string, options: AdminOptions = {}): Promise<api.ContinuousQuery> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/continuous_query/${queryId}`,
      { audience: 'management', options },
    )
  }
}

export class AdminLabTests extends Resource {
  /**
   * Approve a lab test. Lets a lab test that the team made be ordered.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/lab_test/{lab_test_id}/approve`
   */
  async approve(labTestId: string, options: AdminOptions = {}): Promise<api.LabTest> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_test/${labTestId}/approve`,
      { audience: 'management', options },
    )
  }
}

export class AdminOrders extends Resource {
  /**
   * List orders that wait for the operator. Orders that could not be handed over to their
   * laboratory, and orders of deleted people on which a laboratory is still at work.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/stuck_order`
   */
  listStuck(
    query: api.ListStuckOrdersQuery = {},
    options: AdminOptions = {},
  ): Paged<api.StuckOrderList, api.StuckOrder> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/stuck_order`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Hand an order over once more. With all attempts, after it could not be handed over to its
   * laboratory.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/stuck_order/{order_id}/retry`
   */
  async retryStuck(orderId: string, options: AdminOptions = {}): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/stuck_order/${orderId}/retry`,
      { audience: 'management', options },
    )
  }
}

export class AdminSavedViews extends Resource {
  /**
   * List saved views. Filters of the list of orders under a name, which everybody shares who looks
   * after the environment.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/saved_view`
   */
  async list(options: AdminOptions = {}): Promise<api.SavedViewList> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/saved_view`,
      { audience: 'management', options },
    )
  }

  /**
   * Save a view of the orders. The filters hold ids, choices and dates, and nothing of a person. At
   * most 100 in an environment.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/saved_view`
   */
  async create(body: api.SavedViewCreate, options: AdminOptions = {}): Promise<api.SavedView> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/saved_view`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Change a saved view. Gives a view another name, other filters, or both.
   * `PATCH /v1/org/{org_id}/team/{team_id}/{env}/saved_view/{view_id}`
   */
  async update(
    viewId: string,
    body: api.SavedViewUpdate,
    options: AdminOptions = {},
  ): Promise<api.SavedView> {
    const at = this.http.context(options)
    return this.http.json(
      'PATCH',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/saved_view/${viewId}`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Delete a saved view. For everybody who shares it.
   * `DELETE /v1/org/{org_id}/team/{team_id}/{env}/saved_view/{view_id}`
   */
  async delete(viewId: string, options: AdminOptions = {}): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/saved_view/${viewId}`,
      { audience: 'management', options },
    )
  }
}

export class AdminUnmatchedResults extends Resource {
  /**
   * List held results that wait for the operators. Also those of a team that has no review queue,
   * and that it does not see.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/unmatched_result`
   */
  list(
    query: api.ListHeldResultsQuery = {},
    options: AdminOptions = {},
  ): Paged<api.UnmatchedResultList, api.UnmatchedResult> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/unmatched_result`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Put a held result that waits for the operators before the team. The team then sees it among
   * those that await its decision.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/unmatched_result/{id}/hand_over`
   */
  async handOver(id: string, options: AdminOptions = {}): Promise<api.UnmatchedResult> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/unmatched_result/${id}/hand_over`,
      { audience: 'management', options },
    )
  }
}

export class AdminLabReports extends Resource {
  /**
   * List reports that wait for a reviewer. Newest first; those that were reviewed by their status
   * of today.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review`
   */
  listReviews(
    query: api.ListLabReportReviewsQuery = {},
    options: AdminOptions = {},
  ): Paged<api.LabReportReviewList, api.ParsingJobSummary> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_report_review`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Read what the machine read in a report. The reading of the machine with places and confidences,
   * and what reviewers corrected.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}`
   */
  async getReview(jobId: string, options: AdminOptions = {}): Promise<api.LabReportReview> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_report_review/${jobId}`,
      { audience: 'management', options },
    )
  }

  /**
   * An uploaded file of a report. For as long as files are kept.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/file/{number}`
   */
  async getFile(jobId: string, number: number, options: AdminOptions = {}): Promise<Response> {
    const at = this.http.context(options)
    return this.http.bytes(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_report_review/${jobId}/file/${number}`,
      { audience: 'management', accept: 'application/pdf', options },
    )
  }

  /**
   * A picture of a page of a report, for its reviewer. Rendered when it is asked for; what evidence
   * says of places is in parts of it.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/page/{number}`
   */
  async getPage(
    jobId: string,
    number: number,
    query: api.GetLabReportPageQuery = {},
    options: AdminOptions = {},
  ): Promise<Response> {
    const at = this.http.context(options)
    return this.http.bytes(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_report_review/${jobId}/page/${number}`,
      { query, audience: 'management', accept: 'image/jpeg', options },
    )
  }

  /**
   * Approve a report, with corrections or without. The job is completed with the corrected values;
   * what the machine read stays beside them. A report that may be of another person needs
   * `patient_confirmed`.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/approve`
   */
  async approve(
    jobId: string,
    body?: api.LabReportCorrections | null,
    options: AdminOptions = {},
  ): Promise<api.LabReportReview> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_report_review/${jobId}/approve`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Reject a report. The job fails; nothing of what was read is shown to the team.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/reject`
   */
  async reject(
    jobId: string,
    body?: api.LabReportRejection | null,
    options: AdminOptions = {},
  ): Promise<api.LabReportReview> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_report_review/${jobId}/reject`,
      { body, audience: 'management', options },
    )
  }
}

export class AdminLabMessages extends Resource {
  /**
   * List messages of laboratories that could not be applied. Those that failed, or those that still
   * wait for an attempt.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/lab_message`
   */
  list(
    query: api.ListLabMessagesQuery = {},
    options: AdminOptions = {},
  ): Paged<api.LabMessageList, api.LabMessage> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_message`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Read what is known of a message of a laboratory. Nothing of what it says of a person.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}`
   */
  async get(messageId: string, options: AdminOptions = {}): Promise<api.LabMessageDetail> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_message/${messageId}`,
      { audience: 'management', options },
    )
  }

  /**
   * Apply a failed message once more. In the background, with all attempts.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/retry`
   */
  async retry(messageId: string, options: AdminOptions = {}): Promise<api.LabMessage> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_message/${messageId}/retry`,
      { audience: 'management', options },
    )
  }

  /**
   * Give a failed message up. For good: its content is removed.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/discard`
   */
  async discard(messageId: string, options: AdminOptions = {}): Promise<api.LabMessage> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/lab_message/${messageId}/discard`,
      { audience: 'management', options },
    )
  }
}

export class AdminWebhooks extends Resource {
  /**
   * List webhooks. Endpoints of one environment of a team.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/webhook`
   */
  list(
    query: api.ListWebhooksQuery = {},
    options: AdminOptions = {},
  ): Paged<api.WebhookList, api.Webhook> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook`, {
        query,
        audience: 'management',
        options,
      }),
    )
  }

  /**
   * Create a webhook; it gets the events from now on. An address that events are sent to, signed.
   * Its secret is read separately.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/webhook`
   */
  async create(body: api.WebhookCreate, options: AdminOptions = {}): Promise<api.Webhook> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook`,
      { body, audience: 'management', options },
    )
  }

  /**
   * What waits for each webhook, and how it answered lately. Pending messages, retries, successes
   * and failures, and how long they take.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/webhook_status`
   */
  async listStatus(
    query: api.ListWebhookStatusQuery = {},
    options: AdminOptions = {},
  ): Promise<api.WebhookStatusList> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook_status`,
      { query, audience: 'management', options },
    )
  }

  /**
   * Get a webhook. With its filters, and since when and why it is disabled.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}`
   */
  async get(webhookId: string, options: AdminOptions = {}): Promise<api.Webhook> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}`,
      { audience: 'management', options },
    )
  }

  /**
   * Change a webhook. Disabling one cancels what waits for it; it can be recovered later.
   * `PATCH /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}`
   */
  async update(
    webhookId: string,
    body: api.WebhookUpdate,
    options: AdminOptions = {},
  ): Promise<api.Webhook> {
    const at = this.http.context(options)
    return this.http.json(
      'PATCH',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Remove a webhook. What waited to be sent there is not sent any more.
   * `DELETE /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}`
   */
  async delete(webhookId: string, options: AdminOptions = {}): Promise<void> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}`,
      { audience: 'management', options },
    )
  }

  /**
   * Custom headers of a webhook, without values that may be credentials. Headers that every message
   * to the endpoint carries.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers`
   */
  async getHeaders(webhookId: string, options: AdminOptions = {}): Promise<api.WebhookHeaders> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/headers`,
      { audience: 'management', options },
    )
  }

  /**
   * Replace the custom headers of a webhook. All of them; what the body does not name is gone.
   * `PUT /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers`
   */
  async replaceHeaders(
    webhookId: string,
    body: {
      /** Headers by name. */
      headers: Record<string, string>
    },
    options: AdminOptions = {},
  ): Promise<void> {
    const at = this.http.context(options)
    return this.http.json(
      'PUT',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/headers`,
      { body, audience: 'management', options },
    )
  }

  /**
   * The secret that signs the messages of a webhook. To verify messages with. Whoever has it can
   * make messages that look genuine.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret`
   */
  async getSecret(webhookId: string, options: AdminOptions = {}): Promise<api.WebhookSecret> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/secret`,
      { audience: 'management', options },
    )
  }

  /**
   * Set another secret. For 24 hours messages carry a signature by the former one too.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret/rotate`
   */
  async rotateSecret(
    webhookId: string,
    body: {
      /** The secret, beginning with whsec_; null makes a new one. */
      key?: string | null
    },
    options: AdminOptions = {},
  ): Promise<void> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/secret/rotate`,
      { body, audience: 'management', options },
    )
  }

  /**
   * List the attempts at a webhook, newest first. Of all events, with status and duration.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/attempt`
   */
  listAttempts(
    webhookId: string,
    query: api.ListWebhookAttemptsQuery = {},
    options: AdminOptions = {},
  ): Paged<api.WebhookAttemptList, api.WebhookAttempt> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/attempt`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Send an event to a webhook once more, under the same message id. Whatever became of it before.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/event/{event_id}/resend`
   */
  async resendEvent(
    webhookId: string,
    eventId: string,
    options: AdminOptions = {},
  ): Promise<api.EventSummary> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/event/${eventId}/resend`,
      { audience: 'management', options },
    )
  }

  /**
   * Send everything since a date that a webhook wants and never got. In the background; what was
   * delivered is not sent again.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/recover`
   */
  async recover(
    webhookId: string,
    body: api.WebhookRecovery,
    options: AdminOptions = {},
  ): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/recover`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Send an example of an event type to a webhook. To try an endpoint out. Nothing of it is about a
   * person.
   * `POST /v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/send_example`
   */
  async sendExample(
    webhookId: string,
    body: {
      /** Type of the event. */
      event_type: string
    },
    options: AdminOptions = {},
  ): Promise<{
    /** Id of the event. */
    event_id: string
  }> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/webhook/${webhookId}/send_example`,
      { body, audience: 'management', options },
    )
  }
}

export class AdminEvents extends Resource {
  /**
   * List events, newest first. Every event is listed, also one that no endpoint got, with the
   * reason.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/event`
   */
  list(
    query: api.ListEventsQuery = {},
    options: AdminOptions = {},
  ): Paged<api.EventList, api.EventSummary> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/event`, {
        query,
        audience: 'management',
        options,
      }),
    )
  }

  /**
   * Get an event with its payload, and why an endpoint did not get it. The event as endpoints get
   * it, and the state of each delivery.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/event/{event_id}`
   */
  async get(eventId: string, options: AdminOptions = {}): Promise<api.EventDetail> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/event/${eventId}`,
      { audience: 'management', options },
    )
  }

  /**
   * List event types with their shapes and examples. Every type that can come, with the JSON Schema
   * of its data.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/event_type`
   */
  async listTypes(options: AdminOptions = {}): Promise<api.EventTypeList> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/event_type`,
      { audience: 'management', options },
    )
  }

  /**
   * List the attempts to deliver an event, oldest first. At all endpoints, with status and
   * duration.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/event/{event_id}/attempt`
   */
  async listAttempts(eventId: string, options: AdminOptions = {}): Promise<api.WebhookAttemptList> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/event/${eventId}/attempt`,
      { audience: 'management', options },
    )
  }

  /**
   * Follow events as they happen. Server-sent events. Each message is {id, event_type, created_at,
   * body}, body being the exact text of the webhook message. Send the last id as Last-Event-ID, or
   * as `after`, to go on without loss; without either the stream begins now.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/event_stream`
   */
  async openStream(
    query: api.FollowEventsQuery = {},
    options: AdminOptions = {},
  ): Promise<Response> {
    const at = this.http.context(options)
    return this.http.bytes(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/event_stream`,
      { query, audience: 'management', accept: 'text/event-stream', options },
    )
  }

  /**
   * Why there was no event about a person. What keeps an event of a type about a person from being
   * raised or delivered today, and the last one that there was.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/event_explanation`
   */
  async explainMissing(
    query: api.ExplainMissingEventQuery,
    options: AdminOptions = {},
  ): Promise<api.EventExplanation> {
    const at = this.http.context(options)
    return this.http.json(
      'GET',
      path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/event_explanation`,
      { query, audience: 'management', options },
    )
  }
}

export class AdminOrganization extends Resource {
  /**
   * Get the organization. The organization of the calling key.
   * `GET /v1/org/{org_id}`
   */
  async get(options: AdminOptions = {}): Promise<api.Organization> {
    const at = this.http.context(options)
    return this.http.json('GET', path`/v1/org/${at.orgId}`, { audience: 'management', options })
  }

  /**
   * Rename the organization. Needs the role org_admin.
   * `PATCH /v1/org/{org_id}`
   */
  async update(
    body: {
      /** Name. */
      name: string
    },
    options: AdminOptions = {},
  ): Promise<api.Organization> {
    const at = this.http.context(options)
    return this.http.json('PATCH', path`/v1/org/${at.orgId}`, {
      body,
      audience: 'management',
      options,
    })
  }
}

export class AdminTeams extends Resource {
  /**
   * List teams. Those that the calling key may use, in pages.
   * `GET /v1/org/{org_id}/team`
   */
  list(
    query: api.ListTeamsQuery = {},
    options: AdminOptions = {},
  ): Paged<
    {
      teams: {
        /**
         * Id.
         * @format uuid
         */
        id: string
        /** Name. */
        name: string
        /**
         * When it was made.
         * @format date-time
         */
        created_on: string
        /** Region of the team. */
        region: 'us' | 'eu'
        /** Id of the team in a system of the operator. */
        integration_team_id: string | null
      }[]
      /** Asks for the next page; null on the last one. */
      next_cursor: string | null
    },
    {
      /**
       * Id.
       * @format uuid
       */
      id: string
      /** Name. */
      name: string
      /**
       * When it was made.
       * @format date-time
       */
      created_on: string
      /** Region of the team. */
      region: 'us' | 'eu'
      /** Id of the team in a system of the operator. */
      integration_team_id: string | null
    }
  > {
    const at = this.http.context(options)
    return new Paged('cursor', 'teams', query, (query) =>
      this.http.json('GET', path`/v1/org/${at.orgId}/team`, {
        query,
        audience: 'management',
        options,
      }),
    )
  }

  /**
   * Create a team with both environments. Settings in the body count for both environments. Needs
   * the role org_admin.
   * `POST /v1/org/{org_id}/team`
   */
  async create(
    body: {
      /** Name. */
      name: string
      /** Region of the team. */
      region: 'us' | 'eu'
      /**
       * Id.
       * @format uuid
       */
      id?: string
      /** Id of the team in a system of the operator. */
      integration_team_id?: string | null
      /** Whether patients get text messages. */
      lab_tests_patient_sms_communication_enabled?: boolean
      /** Whether patients get e-mails. */
      lab_tests_patient_email_communication_enabled?: boolean
      /**
       * Who is told of critical results.
       * @format email
       */
      critical_result_notification_email?: string | null
      /** How the team shows itself to patients. */
      brand_information?: {
        /** Name of the company. */
        company_name: string
        /** Website of the company. */
        company_website?: string | null
        /** Where patients write to. */
        support_email?: string | null
        /** How else patients reach the company. */
        support_contact?: string | null
        /** Address of the company. */
        company_address?: string | null
        /** Color of the company. */
        brand_color?: string | null
      } | null
      /**
       * Address of the logo.
       * @format uri
       */
      logo_url?: string | null
      /**
       * Where link sessions may lead: addresses with the same scheme and host, and the same path or one
       * below. null is anywhere.
       */
      link_redirect_urls?: string[] | null
      /** Refuse a second connection of one account. */
      reject_duplicate_connection?: boolean
      /** Keep the samples of devices apart. */
      sdk_per_device_activity_timeseries?: boolean
      /** Send events of partial results. */
      partial_webhooks_enabled?: boolean
      /** Order for people under 18. */
      minor_ordering_enabled?: boolean
      /** New lab tests are active at once; null is yes in the sandbox only. */
      lab_test_auto_approve?: boolean | null
      /** Orders through the installation's physicians need the patient's consents. */
      consents_required?: boolean
      /** Results that the laboratory owes are asked for again by a new order. */
      redraws_enabled?: boolean
      /** Appointments can be booked, moved and cancelled. */
      appointment_scheduling_enabled?: boolean
      /** Appointments can be booked before the laboratory has the requisition. */
      early_appointment_booking_enabled?: boolean
      /** Results that match no order are put before the team instead of the operators. */
      match_review_enabled?: boolean
      /** Uploads of lab reports can ask for a reviewer. */
      lab_report_review_enabled?: boolean
      /** History is sent as data events too. */
      push_historical_data?: boolean
      /** Only events whose type begins so; null is all. */
      event_type_prefixes?: string[] | null
    },
    options: AdminOptions = {},
  ): Promise<api.Team> {
    const at = this.http.context(options)
    return this.http.json('POST', path`/v1/org/${at.orgId}/team`, {
      body,
      audience: 'management',
      options,
    })
  }

  /**
   * Find a team by its integration_team_id. For operators who know teams by the ids of another
   * system.
   * `POST /v1/org/{org_id}/resolve_team`
   */
  async resolve(
    body: {
      /** Id of the team in a system of the operator. */
      integration_team_id: string
    },
    options: AdminOptions = {},
  ): Promise<api.Team> {
    const at = this.http.context(options)
    return this.http.json('POST', path`/v1/org/${at.orgId}/resolve_team`, {
      body,
      audience: 'management',
      isRepeatable: true,
      options,
    })
  }

  /**
   * Get a team. With the settings of the environments that are asked for.
   * `GET /v1/org/{org_id}/team/{team_id}`
   */
  async get(
    teamId: string,
    query: api.GetTeamQuery = {},
    options: AdminOptions = {},
  ): Promise<api.Team> {
    const at = this.http.context(options)
    return this.http.json('GET', path`/v1/org/${at.orgId}/team/${teamId}`, {
      query,
      audience: 'management',
      options,
    })
  }

  /**
   * Change a team or its settings. Changes what the body names.
   * `PATCH /v1/org/{org_id}/team/{team_id}`
   */
  async update(
    teamId: string,
    body: {
      /** Name. */
      name?: string
      /** Id of the team in a system of the operator. */
      integration_team_id?: string | null
      /** Settings of the sandbox. */
      sandbox?: {
        /** Whether patients get text messages. */
        lab_tests_patient_sms_communication_enabled?: boolean
        /** Whether patients get e-mails. */
        lab_tests_patient_email_communication_enabled?: boolean
        /**
         * Who is told of critical results.
         * @format email
         */
        critical_result_notification_email?: string | null
        /** How the team shows itself to patients. */
        brand_information?: {
          /** Name of the company. */
          company_name: string
          /** Website of the company. */
          company_website?: string | null
          /** Where patients write to. */
          support_email?: string | null
          /** How else patients reach the company. */
          support_contact?: string | null
          /** Address of the company. */
          company_address?: string | null
          /** Color of the company. */
          brand_color?: string | null
        } | null
        /**
         * Address of the logo.
         * @format uri
         */
        logo_url?: string | null
        /**
         * Where link sessions may lead: addresses with the same scheme and host, and the same path or
         * one below. null is anywhere.
         */
        link_redirect_urls?: string[] | null
        /** Refuse a second connection of one account. */
        reject_duplicate_connection?: boolean
        /** Keep the samples of devices apart. */
        sdk_per_device_activity_timeseries?: boolean
        /** Send events of partial results. */
        partial_webhooks_enabled?: boolean
        /** Order for people under 18. */
        minor_ordering_enabled?: boolean
        /** New lab tests are active at once; null is yes in the sandbox only. */
        lab_test_auto_approve?: boolean | null
        /** Orders through the installation's physicians need the patient's consents. */
        consents_required?: boolean
        /** Results that the laboratory owes are asked for again by a new order. */
        redraws_enabled?: boolean
        /** Appointments can be booked, moved and cancelled. */
        appointment_scheduling_enabled?: boolean
        /** Appointments can be booked before the laboratory has the requisition. */
        early_appointment_booking_enabled?: boolean
        /** Results that match no order are put before the team instead of the operators. */
        match_review_enabled?: boolean
        /** Uploads of lab reports can ask for a reviewer. */
        lab_report_review_enabled?: boolean
        /** History is sent as data events too. */
        push_historical_data?: boolean
        /** Only events whose type begins so; null is all. */
        event_type_prefixes?: string[] | null
        /** Taken and kept for clients that send it. */
        patient_experience?: boolean
      } | null
      /** Settings of production. */
      production?: {
        /** Whether patients get text messages. */
        lab_tests_patient_sms_communication_enabled?: boolean
        /** Whether patients get e-mails. */
        lab_tests_patient_email_communication_enabled?: boolean
        /**
         * Who is told of critical results.
         * @format email
         */
        critical_result_notification_email?: string | null
        /** How the team shows itself to patients. */
        brand_information?: {
          /** Name of the company. */
          company_name: string
          /** Website of the company. */
          company_website?: string | null
          /** Where patients write to. */
          support_email?: string | null
          /** How else patients reach the company. */
          support_contact?: string | null
          /** Address of the company. */
          company_address?: string | null
          /** Color of the company. */
          brand_color?: string | null
        } | null
        /**
         * Address of the logo.
         * @format uri
         */
        logo_url?: string | null
        /**
         * Where link sessions may lead: addresses with the same scheme and host, and the same path or
         * one below. null is anywhere.
         */
        link_redirect_urls?: string[] | null
        /** Refuse a second connection of one account. */
        reject_duplicate_connection?: boolean
        /** Keep the samples of devices apart. */
        sdk_per_device_activity_timeseries?: boolean
        /** Send events of partial results. */
        partial_webhooks_enabled?: boolean
        /** Order for people under 18. */
        minor_ordering_enabled?: boolean
        /** New lab tests are active at once; null is yes in the sandbox only. */
        lab_test_auto_approve?: boolean | null
        /** Orders through the installation's physicians need the patient's consents. */
        consents_required?: boolean
        /** Results that the laboratory owes are asked for again by a new order. */
        redraws_enabled?: boolean
        /** Appointments can be booked, moved and cancelled. */
        appointment_scheduling_enabled?: boolean
        /** Appointments can be booked before the laboratory has the requisition. */
        early_appointment_booking_enabled?: boolean
        /** Results that match no order are put before the team instead of the operators. */
        match_review_enabled?: boolean
        /** Uploads of lab reports can ask for a reviewer. */
        lab_report_review_enabled?: boolean
        /** History is sent as data events too. */
        push_historical_data?: boolean
        /** Only events whose type begins so; null is all. */
        event_type_prefixes?: string[] | null
        /** Taken and kept for clients that send it. */
        patient_experience?: boolean
      } | null
    },
    options: AdminOptions = {},
  ): Promise<api.Team> {
    const at = this.http.context(options)
    return this.http.json('PATCH', path`/v1/org/${at.orgId}/team/${teamId}`, {
      body,
      audience: 'management',
      options,
    })
  }

  /**
   * Delete a team. Its keys end at once. Needs the role org_admin.
   * `DELETE /v1/org/{org_id}/team/{team_id}`
   */
  async delete(teamId: string, options: AdminOptions = {}): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json('DELETE', path`/v1/org/${at.orgId}/team/${teamId}`, {
      audience: 'management',
      options,
    })
  }

  /**
   * Mint a team access token for ten minutes. A bearer token that works like a key of the team, or
   * for one person, or only for reading.
   * `POST /v1/org/{org_id}/team/{team_id}/create_api_access_token`
   */
  async createAccessToken(
    teamId: string,
    body: {
      /** Environment of the team. */
      env: 'sandbox' | 'production'
      /**
       * The one person that it reaches; null is everybody.
       * @format uuid
       */
      user_id?: string | null
      /** `read` changes nothing. */
      access?: 'read' | 'write'
    },
    options: AdminOptions = {},
  ): Promise<{
    /** Send it as `Authorization: Bearer`. */
    access_token: string
    /** Seconds. */
    expires_in: number
  }> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team/${teamId}/create_api_access_token`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Scopes that a team demands. Scopes of providers without which the team wants no connection, and
   * those it asks for besides.
   * `GET /v1/org/{org_id}/team/{team_id}/scope_requirements`
   */
  async getScopeRequirements(
    teamId: string,
    query: api.GetScopeRequirementsQuery = {},
    options: AdminOptions = {},
  ): Promise<api.ScopeRequirements> {
    const at = this.http.context(options)
    return this.http.json('GET', path`/v1/org/${at.orgId}/team/${teamId}/scope_requirements`, {
      query,
      audience: 'management',
      options,
    })
  }

  /**
   * Change the scopes that a team demands. Replaces those of the providers that the body names;
   * null takes them away.
   * `POST /v1/org/{org_id}/team/{team_id}/scope_requirements`
   */
  async updateScopeRequirements(
    teamId: string,
    body: api.ScopeRequirementUpdate,
    options: AdminOptions = {},
  ): Promise<api.ScopeRequirements> {
    const at = this.http.context(options)
    return this.http.json('POST', path`/v1/org/${at.orgId}/team/${teamId}/scope_requirements`, {
      body,
      audience: 'management',
      isRepeatable: true,
      options,
    })
  }
}

export class AdminApiKeys extends Resource {
  /**
   * List team API keys, values masked. Of one environment, with their values masked.
   * `GET /v1/org/{org_id}/team_api_keys/{env}/{region}`
   */
  list(
    query: api.ListTeamApiKeysQuery = {},
    options: AdminOptions = {},
  ): Paged<
    {
      api_keys: api.TeamApiKey[]
      /** Asks for the next page; null on the last one. */
      next_cursor: string | null
    },
    api.TeamApiKey
  > {
    const at = this.http.context(options)
    return new Paged('cursor', 'api_keys', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team_api_keys/${at.environment}/${at.region}`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Create a team API key; only this answer holds its value. Salus keeps only a hash of the value.
   * To rotate a key, create one and then revoke the other.
   * `POST /v1/org/{org_id}/team_api_keys/{env}/{region}`
   */
  async create(
    body: {
      /** What the key is for. */
      label: string
      /**
       * Id of the team.
       * @format uuid
       */
      team_id: string
      /**
       * The one person that it reaches; null is everybody.
       * @format uuid
       */
      user_id?: string | null
      /** `read` changes nothing. */
      access?: 'read' | 'write'
      /**
       * When the key ends by itself; null is never.
       * @format instant
       */
      expires_at?: string | null
    },
    options: AdminOptions = {},
  ): Promise<api.TeamApiKey> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team_api_keys/${at.environment}/${at.region}`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Revoke team API keys. Says of each id whether it was revoked, failed, or was not found.
   * `DELETE /v1/org/{org_id}/team_api_keys/{env}/{region}`
   */
  async revoke(
    query: api.RevokeTeamApiKeysQuery,
    options: AdminOptions = {},
  ): Promise<{
    /** Whether it was done. */
    success: string[]
    failure: string[]
    not_found: string[]
  }> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team_api_keys/${at.environment}/${at.region}`,
      { query, audience: 'management', options },
    )
  }
}

export class AdminManagementKeys extends Resource {
  /**
   * List management keys. Without their values, in pages.
   * `GET /v1/org/{org_id}/management_key`
   */
  list(
    query: api.ListManagementKeysQuery = {},
    options: AdminOptions = {},
  ): Paged<
    {
      /** The items. */
      data: api.ManagementKey[]
      /** Asks for the next page; null on the last one. */
      next_cursor: string | null
    },
    api.ManagementKey
  > {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v1/org/${at.orgId}/management_key`, {
        query,
        audience: 'management',
        options,
      }),
    )
  }

  /**
   * Create a management key; only this answer holds its value. A key can make none that reaches
   * further than itself.
   * `POST /v1/org/{org_id}/management_key`
   */
  async create(
    body: {
      /** What the key is for. */
      label: string
      /** What the key may do. */
      role: 'org_admin' | 'team_admin'
      /** Teams that the key may use; null is all. */
      team_role_bindings?:
        | {
            /**
             * Id of the team.
             * @format uuid
             */
            team_id: string
          }[]
        | null
    },
    options: AdminOptions = {},
  ): Promise<{
    /**
     * Id.
     * @format uuid
     */
    id: string
    /** What the key is for. */
    label: string
    /**
     * When it was made.
     * @format date-time
     */
    created_at: string
    creator: {
      /** What kind it is. */
      type: string
    }
    /** What the key may do. */
    role: 'org_admin' | 'team_admin'
    /** Teams that the key may use; null is all. */
    team_role_bindings:
      | {
          /**
           * Id of the team.
           * @format uuid
           */
          team_id: string
        }[]
      | null
    /** The secret, beginning with whsec_; null makes a new one. */
    key: string
  }> {
    const at = this.http.context(options)
    return this.http.json('POST', path`/v1/org/${at.orgId}/management_key`, {
      body,
      audience: 'management',
      options,
    })
  }

  /**
   * Change the label or the teams of a management key. Changes what the body names.
   * `PATCH /v1/org/{org_id}/management_key/{key_id}`
   */
  async update(
    keyId: string,
    body: {
      /** What the key is for. */
      label?: string
      /** Teams that the key may use; null is all. */
      team_role_bindings?:
        | {
            /**
             * Id of the team.
             * @format uuid
             */
            team_id: string
          }[]
        | null
    },
    options: AdminOptions = {},
  ): Promise<api.ManagementKey> {
    const at = this.http.context(options)
    return this.http.json('PATCH', path`/v1/org/${at.orgId}/management_key/${keyId}`, {
      body,
      audience: 'management',
      options,
    })
  }

  /**
   * Revoke a management key. It ends at once. The last key with the role org_admin stays.
   * `DELETE /v1/org/{org_id}/management_key/{key_id}`
   */
  async revoke(keyId: string, options: AdminOptions = {}): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json('DELETE', path`/v1/org/${at.orgId}/management_key/${keyId}`, {
      audience: 'management',
      options,
    })
  }
}

export class AdminPipelines extends Resource {
  /**
   * List the pipelines of teams; every team has one. What of the data of a team is sent as events,
   * and how.
   * `GET /v1/org/{org_id}/team_etl_pipelines/{env}/{region}`
   */
  list(
    query: api.ListTeamPipelinesQuery = {},
    options: AdminOptions = {},
  ): Paged<
    {
      pipelines: api.Pipeline[]
      /** Asks for the next page; null on the last one. */
      next_cursor: string | null
    },
    api.Pipeline
  > {
    const at = this.http.context(options)
    return new Paged('cursor', 'pipelines', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team_etl_pipelines/${at.environment}/${at.region}`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Change the pipelines of teams, all or none. The same change for every team that the body names.
   * `POST /v1/org/{org_id}/team_etl_pipelines/{env}/{region}`
   */
  async update(
    body: {
      /** Ids of teams. */
      team_ids: string[]
      /** History is sent as data events too. */
      push_historical_data?: boolean
      /** Not available; always false. */
      provider_raw_data?: boolean
      /** Where events are sent. */
      preferences?: {
        /** svix stands for webhooks. */
        preferred: 'cloud_pubsub' | 'rabbitmq' | 'svix' | 'azure_amqp'
        /** Switched on. */
        enabled: ('cloud_pubsub' | 'rabbitmq' | 'svix' | 'azure_amqp')[]
      }
      /** Not available; always null. */
      cloud_pubsub?: Record<string, unknown> | null
      /** Not available; always null. */
      rabbitmq?: Record<string, unknown> | null
      /** Webhooks; always on. */
      svix?: Record<string, unknown> | null
      /** Not available; always null. */
      azure_amqp?: Record<string, unknown> | null
      /** Only events whose type begins so; null is all. */
      event_type_prefixes?: string[] | null
    },
    options: AdminOptions = {},
  ): Promise<api.Pipeline[]> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team_etl_pipelines/${at.environment}/${at.region}`,
      { body, audience: 'management', isRepeatable: true, options },
    )
  }

  /**
   * Give the pipelines of teams their default options back. For every team that the query names.
   * `DELETE /v1/org/{org_id}/team_etl_pipelines/{env}/{region}`
   */
  async reset(
    query: api.ResetTeamPipelinesQuery,
    options: AdminOptions = {},
  ): Promise<{
    /** Whether it was done. */
    success: string[]
    failure: string[]
    not_found: string[]
  }> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team_etl_pipelines/${at.environment}/${at.region}`,
      { query, audience: 'management', options },
    )
  }
}

export class AdminCatalog extends Resource {
  /**
   * Load a laboratory catalog. Laboratories, markers, accounts and physicians as one document. What
   * has a problem is not loaded at all.
   * `PUT /v1/catalog`
   */
  async load(
    body: Record<string, unknown>,
    query: api.LoadCatalogQuery = {},
    options: AdminOptions = {},
  ): Promise<api.CatalogReport> {
    return this.http.json('PUT', path`/v1/catalog`, {
      body,
      query,
      audience: 'management',
      options,
    })
  }

  /**
   * Load the list of payors. All payors of the installation as one CSV file. What has a problem is
   * not loaded at all.
   * `PUT /v1/payors`
   */
  async loadPayors(
    body: api.PayorImport,
    query: api.LoadPayorsQuery = {},
    options: AdminOptions = {},
  ): Promise<api.PayorReport> {
    return this.http.json('PUT', path`/v1/payors`, { body, query, audience: 'management', options })
  }

  /**
   * Load diagnosis codes. The files of ICD-10-CM as they are published each year. The set is
   * replaced at once, or not at all.
   * `PUT /v1/diagnosis_codes`
   */
  async loadDiagnosisCodes(
    body: {
      /** Text of the order file of ICD-10-CM (`icd10cm_order_2026.txt`). */
      order_file: string
      /**
       * Text of the tabular list (`icd10cm_tabular_2026.xml`), for the notes. Without it the notes
       * stay.
       */
      tabular_xml?: string
    },
    query: api.LoadDiagnosisCodesQuery = {},
    options: AdminOptions = {},
  ): Promise<api.DiagnosisCodesReport> {
    return this.http.json('PUT', path`/v1/diagnosis_codes`, {
      body,
      query,
      audience: 'management',
      options,
    })
  }

  /**
   * Load a list of service centers. Sites of laboratories as the text of a CSV file. What has a
   * problem is not loaded at all.
   * `PUT /v1/service_centers`
   */
  async loadServiceCenters(
    body: api.ServiceCentersImport,
    query: api.LoadServiceCentersQuery = {},
    options: AdminOptions = {},
  ): Promise<api.ServiceCentersReport> {
    return this.http.json('PUT', path`/v1/service_centers`, {
      body,
      query,
      audience: 'management',
      options,
    })
  }
}

export class AdminCustomCredentials extends Resource {
  /**
   * List teams' own apps with providers. Oldest first. Secrets are never shown, but their hashes
   * are.
   * `GET /v1/org/{org_id}/team_custom_credentials/{env}/{region}`
   */
  list(
    query: api.ListTeamCustomCredentialsQuery = {},
    options: AdminOptions = {},
  ): Paged<
    {
      credentials: api.TeamCustomCredential[]
      /** Asks for the next page; null on the last one. */
      next_cursor: string | null
    },
    api.TeamCustomCredential
  > {
    const at = this.http.context(options)
    return new Paged('cursor', 'credentials', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team_custom_credentials/${at.environment}/${at.region}`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Keep a team's own app with a provider. People of the team sign in with this app from now on.
   * What is not named stays as it was.
   * `POST /v1/org/{org_id}/team_custom_credentials/{env}/{region}`
   */
  async put(
    body: api.TeamCustomCredentialUpdate,
    options: AdminOptions = {},
  ): Promise<api.TeamCustomCredential> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team_custom_credentials/${at.environment}/${at.region}`,
      { body, audience: 'management', options },
    )
  }

  /**
   * Forget teams' own apps. Connections that were made with the app cannot be kept fresh without
   * it.
   * `DELETE /v1/org/{org_id}/team_custom_credentials/{env}/{region}`
   */
  async delete(
    query: api.DeleteTeamCustomCredentialsQuery,
    options: AdminOptions = {},
  ): Promise<{
    /** Whether it was done. */
    success: string[]
    failure: string[]
    not_found: string[]
  }> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team_custom_credentials/${at.environment}/${at.region}`,
      { query, audience: 'management', options },
    )
  }

  /**
   * What an app of the team needs before it works. What to enter in the form of the provider.
   * `POST /v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}`
   */
  async prepare(
    body: {
      /**
       * Id of the team.
       * @format uuid
       */
      team_id: string
      /** Slug of the provider. */
      provider:
        | 'oura'
        | 'fitbit'
        | 'garmin'
        | 'strava'
        | 'wahoo'
        | 'withings'
        | 'ihealth'
        | 'google_fit'
        | 'omron'
        | 'dexcom_v3'
        | 'polar'
        | 'cronometer'
        | 'whoop_v2'
        | 'ultrahuman'
        | 'my_fitness_pal_v2'
        | 'map_my_fitness'
        | 'runkeeper'
        | 'google_health'
    },
    options: AdminOptions = {},
  ): Promise<api.CredentialPreparations> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/prepare_team_custom_credentials/${at.environment}/${at.region}`,
      { body, audience: 'management', isRepeatable: true, options },
    )
  }
}

export class AdminDataPullPreferences extends Resource {
  /**
   * List how much history teams want. Days of history that are pulled of a new connection, of each
   * provider and team.
   * `GET /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}`
   */
  list(
    query: api.ListDataPullPreferencesQuery = {},
    options: AdminOptions = {},
  ): Paged<
    api.DataPullPreferences,
    {
      /**
       * Id of the team.
       * @format uuid
       */
      team_id: string
      /** By provider slug, also of those of which the team chose nothing. */
      providers: Record<
        string,
        {
          /** Of all resources that are not named. */
          default: {
            /** Days of history. */
            historical_days_to_pull: number
            historical_days_to_pull_limit: number
          }
          /** Of single resources. */
          resource_overrides: Record<
            string,
            {
              /** Days of history. */
              historical_days_to_pull: number
              historical_days_to_pull_limit: number
            }
          >
        }
      >
    }
  > {
    const at = this.http.context(options)
    return new Paged('cursor', 'data_pull_preferences', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team_data_pull_preferences/${at.environment}/${at.region}`,
        { query, audience: 'management', options },
      ),
    )
  }

  /**
   * Change how much history teams want. The same change for every team that the body names;
   * connections that exist stay as they are.
   * `POST /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}`
   */
  async update(
    body: api.DataPullPreferenceUpdate,
    options: AdminOptions = {},
  ): Promise<api.DataPullPreferences> {
    const at = this.http.context(options)
    return this.http.json(
      'POST',
      path`/v1/org/${at.orgId}/team_data_pull_preferences/${at.environment}/${at.region}`,
      { body, audience: 'management', isRepeatable: true, options },
    )
  }

  /**
   * Give teams the usual history back. For every team that the query names, of all providers unless
   * it names some.
   * `DELETE /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}`
   */
  async reset(
    query: api.ResetDataPullPreferencesQuery,
    options: AdminOptions = {},
  ): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json(
      'DELETE',
      path`/v1/org/${at.orgId}/team_data_pull_preferences/${at.environment}/${at.region}`,
      { query, audience: 'management', options },
    )
  }
}

export class AdminDemoTeam extends Resource {
  /**
   * How far the demo team is. Which step the filling is at, and whom there is to look at already.
   * `GET /v1/org/{org_id}/demo_team`
   */
  async get(options: AdminOptions = {}): Promise<api.DemoTeam> {
    const at = this.http.context(options)
    return this.http.json('GET', path`/v1/org/${at.orgId}/demo_team`, {
      audience: 'management',
      options,
    })
  }

  /**
   * Fill a demo team. Makes a team with made-up people, data, orders and reports, in the
   * background. Of one that is there it says how far it is; one that failed is removed and made
   * anew.
   * `POST /v1/org/{org_id}/demo_team`
   */
  async fill(options: AdminOptions = {}): Promise<api.DemoTeam> {
    const at = this.http.context(options)
    return this.http.json('POST', path`/v1/org/${at.orgId}/demo_team`, {
      audience: 'management',
      options,
    })
  }

  /**
   * Remove the demo team. The team and its people are gone at once, and erased as all deleted
   * people are.
   * `DELETE /v1/org/{org_id}/demo_team`
   */
  async remove(options: AdminOptions = {}): Promise<api.DemoTeam> {
    const at = this.http.context(options)
    return this.http.json('DELETE', path`/v1/org/${at.orgId}/demo_team`, {
      audience: 'management',
      options,
    })
  }
}

export class AdminOperation extends Resource {
  /**
   * Versions, sizes of the stores, and how busy the process is. Of the process that answers, and of
   * the stores that all processes share. Needs an operator.
   * `GET /v1/operation/status`
   */
  async getStatus(options: AdminOptions = {}): Promise<api.OperationStatus> {
    return this.http.json('GET', path`/v1/operation/status`, { audience: 'management', options })
  }

  /**
   * How far the delivery of events is behind. Over the endpoints of all teams. Needs an operator.
   * `GET /v1/operation/delivery`
   */
  async getDeliveryStatus(options: AdminOptions = {}): Promise<api.DeliveryStatus> {
    return this.http.json('GET', path`/v1/operation/delivery`, { audience: 'management', options })
  }

  /**
   * How asking the providers goes, and what is left of their budgets. Of all teams together. Needs
   * an operator.
   * `GET /v1/operation/provider`
   */
  async listProviderStatus(options: AdminOptions = {}): Promise<api.ProviderStatusList> {
    return this.http.json('GET', path`/v1/operation/provider`, { audience: 'management', options })
  }

  /**
   * Count the jobs of each kind by their states. Of the whole installation. Needs an operator.
   * `GET /v1/operation/job_kind`
   */
  async listJobKinds(options: AdminOptions = {}): Promise<api.JobKindList> {
    return this.http.json('GET', path`/v1/operation/job_kind`, { audience: 'management', options })
  }

  /**
   * List jobs, newest first, and why they failed. Never with what a job was given, which may be
   * about a person. Needs an operator.
   * `GET /v1/operation/job`
   */
  listJobs(query: api.ListJobsQuery = {}, options: AdminOptions = {}): Paged<api.JobList, api.Job> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v1/operation/job`, { query, audience: 'management', options }),
    )
  }

  /**
   * Run failed jobs again now. With all attempts before them: those named, or all of a kind that
   * were given up.
   * `POST /v1/operation/job/retry`
   */
  async retryJobs(
    body: api.JobRetry,
    options: AdminOptions = {},
  ): Promise<{
    /** How many. */
    retried: number
  }> {
    return this.http.json('POST', path`/v1/operation/job/retry`, {
      body,
      audience: 'management',
      options,
    })
  }

  /**
   * Read the audit log, newest first. Who did what, by which route, and what came of it; never the
   * content. Needs an operator.
   * `GET /v1/operation/audit_log`
   */
  listAuditLog(
    query: api.ListAuditLogQuery = {},
    options: AdminOptions = {},
  ): Paged<api.AuditList, api.AuditRow> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v1/operation/audit_log`, {
        query,
        audience: 'management',
        options,
      }),
    )
  }

  /**
   * Read the audit log of an environment, newest first. Who did what, and with `user_id` and
   * `reads` who read of whom.
   * `GET /v1/org/{org_id}/team/{team_id}/{env}/audit_log`
   */
  listEnvironmentAuditLog(
    query: api.ListEnvironmentAuditLogQuery = {},
    options: AdminOptions = {},
  ): Paged<api.AuditList, api.AuditRow> {
    const at = this.http.context(options)
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json(
        'GET',
        path`/v1/org/${at.orgId}/team/${at.teamId}/${at.environment}/audit_log`,
        { query, audience: 'management', options },
      ),
    )
  }
}

export class AdminConsoleSessions extends Resource {
  /**
   * List who is signed in to the console. Sessions as keys that are no stronger than the calling
   * one, the newest first, at most 500.
   * `GET /v1/org/{org_id}/console_session`
   */
  async list(options: AdminOptions = {}): Promise<{
    /** The items. */
    data: api.ListedConsoleSession[]
  }> {
    const at = this.http.context(options)
    return this.http.json('GET', path`/v1/org/${at.orgId}/console_session`, {
      audience: 'management',
      options,
    })
  }

  /**
   * End the other sessions of the calling key. Of a session that asks, all but itself; of a key
   * that asks, all.
   * `DELETE /v1/org/{org_id}/console_session`
   */
  async endOthers(options: AdminOptions = {}): Promise<{
    /** How many sessions were ended. */
    ended: number
  }> {
    const at = this.http.context(options)
    return this.http.json('DELETE', path`/v1/org/${at.orgId}/console_session`, {
      audience: 'management',
      options,
    })
  }

  /**
   * End a session of the console. Whoever is signed in so has to sign in again.
   * `DELETE /v1/org/{org_id}/console_session/{session_id}`
   */
  async end(sessionId: string, options: AdminOptions = {}): Promise<api.Success> {
    const at = this.http.context(options)
    return this.http.json('DELETE', path`/v1/org/${at.orgId}/console_session/${sessionId}`, {
      audience: 'management',
      options,
    })
  }
}

export class AdminResources extends Resource {
  /**
   * Everything of a person as a file, erasure with a receipt, how long data are kept, and legal
   * holds.
   */
  readonly dataRights = new AdminDataRights(this.http)
  /** Queries that are evaluated again whenever data of a person change. */
  readonly continuousQueries = new AdminContinuousQueries(this.http)
  /** Laboratories, lab accounts, markers, and the lab tests that can be ordered. */
  readonly labTests = new AdminLabTests(this.http)
  /** Places, finds, changes and cancels laboratory orders. */
  readonly orders = new AdminOrders(this.http)
  /** Places, finds, changes and cancels laboratory orders. */
  readonly savedViews = new AdminSavedViews(this.http)
  /** Results that fit no order safely, and await a decision. */
  readonly unmatchedResults = new AdminUnmatchedResults(this.http)
  /** Reports as files, of which structured results are made. */
  readonly labReports = new AdminLabReports(this.http)
  /** What laboratories sent that could not be applied, for the operator. */
  readonly labMessages = new AdminLabMessages(this.http)
  /** Endpoints that events are sent to, the events, and the attempts at each. */
  readonly webhooks = new AdminWebhooks(this.http)
  /** Endpoints that events are sent to, the events, and the attempts at each. */
  readonly events = new AdminEvents(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly organization = new AdminOrganization(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly teams = new AdminTeams(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly apiKeys = new AdminApiKeys(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly managementKeys = new AdminManagementKeys(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly pipelines = new AdminPipelines(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly catalog = new AdminCatalog(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly customCredentials = new AdminCustomCredentials(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly dataPullPreferences = new AdminDataPullPreferences(this.http)
  /** Organization, teams, keys, settings and the catalog, under a management key. */
  readonly demoTeam = new AdminDemoTeam(this.http)
  /** What whoever runs the installation looks at, and the audit log. */
  readonly operation = new AdminOperation(this.http)
  /** Signs people in to the console, with a session in a cookie. */
  readonly consoleSessions = new AdminConsoleSessions(this.http)
}
