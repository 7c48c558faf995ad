import type { HttpClient } from './http-client.ts'

/** Base class of groups of methods that share a client. */
export abstract class Resource {
  protected readonly http: HttpClient

  constructor(http: HttpClient) {
    this.http = http
  }
}
