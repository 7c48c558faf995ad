import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { PATIENT_DETAILS } from '../../orders/order-bodies.ts'
import type { WiredLaboratory } from '../wired-laboratory.ts'

/** Orders that are under way at a time. */
const MOST_OPEN = 2
const ROUND_MS = 100
/** Longest wait at the end, when nothing is killed any more. */
const PATIENCE_MS = 60_000

/** An order of the test. */
export interface Placed {
  userId: string
  isCancelled: boolean
}

/** Clients and an operator at work: they place orders, cancel some, and send messages again. */
export class Traffic {
  readonly #wired: WiredLaboratory
  readonly #random: () => number
  readonly placed = new Map<string, Placed>()
  #resent = 0
  #isFinishing = false
  #working = Promise.resolve()
  readonly #begun = new Set<Promise<void>>()

  constructor(wired: WiredLaboratory, random: () => number) {
    this.#wired = wired
    this.#random = random
  }

  summary(): string {
    const cancelled = [...this.placed.values()].filter(({ isCancelled }) => isCancelled)
    return `${this.placed.size} orders, ${cancelled.length} cancelled, ${this.#resent} resends`
  }

  /** Does something beside the rest, and before the end. */
  #begin(work: Promise<void>): void {
    this.#begun.add(work)
    void work.then(() => this.#begun.delete(work))
  }

  /** Works from now on until `finish` is called. */
  begin(): void {
    this.#isFinishing = false
    this.#working = this.#work()
  }

  async #work(): Promise<void> {
    while (!this.#isFinishing) {
      if ((await this.#countOpen()) < MOST_OPEN) await this.#place()
      if (this.#random() < 0.1) await this.#resend()
      await this.passTime()
      await pause(this.#random() * ROUND_MS)
    }
  }

  /** Has a step of the exchange come soon that is rare otherwise. */
  cause(step: string): void {
    if (step.startsWith('cancellation')) this.#begin(this.#place(true))
    if (step.startsWith('resend') || step.startsWith('repetition')) this.#begin(this.#resend())
  }

  async #place(isCancelled = this.#random() < 0.2): Promise<void> {
    const user = { client_user_id: crypto.randomUUID() }
    const { user_id: userId } = (await this.#wired.call('POST', '/v2/user', user)).body
    if (userId === undefined) return
    const first_name = isCancelled ? 'Waiting' : 'Ada'
    const patient_details = { ...PATIENT_DETAILS, first_name }
    await this.#wired.tryPlace(userId, { patient_details })
    // Where a busy machine gave no answer the order may be there nevertheless.
    const rows = await this.#query(`select id from orders where user_id = '${userId}'`)
    for (const { id } of rows) {
      this.placed.set(id, { userId, isCancelled })
      if (isCancelled) this.#begin(this.#cancel(id))
    }
  }

  async #cancel(id: string): Promise<void> {
    await pause(this.#random() * 400)
    const { status, text } = await this.#wired.call('POST', `/v3/order/${id}/cancel`)
    const [row] = await this.#query(`select last_status from orders where id = '${id}'`)
    if (row?.last_status === 'cancelled') return
    assert.ok(status >= 500, text)
    await this.#cancel(id)
  }

  /** Has a message sent again that was accepted. */
  async #resend(): Promise<void> {
    const { harness, path } = this.#wired
    const headers = { 'x-management-key': harness.managementKey }
    const messages = await this.#query(
      `select id from lab_outgoing_messages where state <> 'waiting' order by id desc limit 20`,
    )
    const message = messages[Math.floor(this.#random() * messages.length)]
    if (message === undefined) return
    const url = `${path}/message/${message.id}/resend`
    const { status, text } = await harness.call('POST', url, undefined, headers)
    assert.ok(status === 200 || status >= 500, text)
    if (status === 200) this.#resent += 1
  }

  /** Lets time pass until the repetition of what failed. */
  async passTime(): Promise<void> {
    await this.#query(`with due as (
        update graphile_worker._private_jobs set run_at = now()
        where locked_at is null and run_at > now() and attempts < max_attempts - 3 returning id)
      select pg_notify('jobs:insert', '{"r":"1","count":1}') from due limit 1`)
  }

  /** Frees jobs of a process that was killed before it was known that it has them. */
  async freeJobs(): Promise<void> {
    await this.#query(`update graphile_worker._private_jobs
      set locked_at = locked_at - interval '2 minutes'
      where locked_at between now() - interval '1 minute' and now() - interval '2 seconds'
        and locked_by not in (select worker_id from worker_processes)`)
  }

  async #query(text: string) {
    return (await this.#wired.harness.database.pool.query(text)).rows
  }

  async #countOpen(): Promise<number> {
    const rows = await this.#query(
      `select count(*)::int as count from orders where last_status not in ('completed', 'cancelled')`,
    )
    return rows[0].count
  }

  /** Stops, and waits until every order is at its end and no job is left. */
  async finish(): Promise<void> {
    this.#isFinishing = true
    await this.#working
    while (this.#begun.size > 0) await Promise.all(this.#begun)
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      await this.#query(
        'update graphile_worker._private_jobs set run_at = now() where locked_at is null',
      )
      const jobs = await this.#query(`select task_identifier, attempts, last_error
        from graphile_worker.jobs where attempts < max_attempts or locked_at is not null`)
      const open = await this.#countOpen()
      if (open === 0 && jobs.length === 0) return
      const left = `${open} orders and ${JSON.stringify(jobs)} are left`
      assert.ok(performance.now() < until, left)
      await this.freeJobs()
      await pause(200)
    }
  }
}
