package io.locket.examples.howto.idempotence;

import java.math.BigDecimal;

/**
 * External service that charges once for each idempotency key.
 */
interface PaymentProvider {

	String charge(String idempotencyKey, BigDecimal amount);

}
