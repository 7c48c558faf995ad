/** What a flow in the browser needs of a deployment: links, and people at vendors. */
export interface LinkSite {
  /** Address of the deployment, without a slash at its end. */
  baseUrl: string
  /**
   * Opens a link session and returns its link_web_url (docs/contract/03-link.md#post-v2linktoken).
   */
  openLink(options?: LinkOptions): Promise<string>
  close(): Promise<void>
}

export interface LinkOptions {
  provider?: string
  redirect_url?: string
  filter_on_providers?: string[]
  on_error?: 'redirect'
  on_close?: 'redirect'
}
