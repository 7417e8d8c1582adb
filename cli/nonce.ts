/** Reads the nonce of a verifier; one that no certificate can have is refused before anything else is done. */
import { usageFailure } from './failure.ts'

/** The seed that follows from the nonce; throws CommandFailure when it is too short. */
export const seedOfNonce = async (nonce: string): Promise<number> => {
  const { seedFromNonce } = await import('../reports/index.ts')
  try {
    return seedFromNonce(nonce)
  } catch (cause) {
    throw usageFailure(`--nonce: ${(cause as Error).message}`)
  }
}
