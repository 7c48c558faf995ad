import { type NewSummary, summaryId } from '../summaries/index.ts'

/** A summary of a page, for what refers to it. */
export class AddedSummary {
  readonly #owner: { userId: string; provider: string }
  readonly #summary: Pick<NewSummary, 'resource' | 'appId' | 'recordId'>

  constructor(
    owner: { userId: string; provider: string },
    summary: Pick<NewSummary, 'resource' | 'appId' | 'recordId'>,
  ) {
    this.#owner = owner
    this.#summary = summary
  }

  /** Computed when it is needed: most summaries have no samples or stream that refer to them. */
  get id(): string {
    return summaryId(this.#owner, this.#summary)
  }
}
