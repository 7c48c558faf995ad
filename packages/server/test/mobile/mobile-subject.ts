import type { Harness } from '../harness.ts'
import { openSignInToken } from './app-client.ts'

/** What an app signs in with for a person, each good for once. */
export interface MobileSubject {
  userToken: string
  linkCode: string
}

/** Also connects the person to a store of a phone. */
export async function makeMobileSubject(harness: Harness, userId: string): Promise<MobileSubject> {
  const succeed = async (url: string, body?: object) => {
    const answer = await harness.call('POST', url, body)
    if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
    return answer.body
  }
  await succeed('/v2/link/provider/manual/apple_health_kit', { user_id: userId })
  const { sign_in_token: token } = await succeed(`/v2/user/${userId}/sign_in_token`)
  const { code } = await succeed(`/v2/link/code/create?user_id=${userId}`)
  return { userToken: openSignInToken(token).user_token, linkCode: code }
}
