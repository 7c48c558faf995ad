import { TestClock } from './teams-app.ts'

/** Goes on by itself, as browsers and the command line expect of a server. */
export class RunningClock extends TestClock {
  #ahead = 0

  override now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  override advance(seconds: number): void {
    this.#ahead += seconds * 1000
  }
}
