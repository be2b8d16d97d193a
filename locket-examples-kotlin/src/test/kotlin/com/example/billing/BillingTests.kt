package com.example.billing

import java.time.YearMonth

import io.locket.test.LocketTester
import io.locket.test.autoconfigure.AutoConfigureLocketTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

/**
 * Tests for jobs that are written and enqueued in Kotlin.
 */
@SpringBootTest
@AutoConfigureLocketTest
class BillingTests {

    @Autowired
    private lateinit var monthEnd: MonthEnd

    @Autowired
    private lateinit var billing: Billing

    @Autowired
    private lateinit var letters: Letters

    @Autowired
    private lateinit var locket: LocketTester

    @BeforeEach
    fun discardLetters() {
        letters.sent.clear()
    }

    @Test
    fun callIsRecordedAndRunsLater() {
        monthEnd.close(42, YearMonth.of(2026, 5))
        assertThat(letters.sent).isEmpty()
        locket.drain()
        assertThat(letters.sent).containsExactly("Bill of 42 for 2026-05")
    }

    @Test
    fun callByNameRuns() {
        monthEnd.billByName(43, YearMonth.of(2026, 6))
        locket.drain()
        assertThat(letters.sent).containsExactly("Bill of 43 for 2026-06")
    }

    @Test
    fun dataClassAndDefaultArgumentArriveAsTheyWereEnqueued() {
        val customer = Customer(44, listOf("a@example.com", "b@example.com"))
        monthEnd.remind(customer)
        locket.drain()
        assertThat(letters.sent).containsExactly("Reminder to $customer, friendly: true")
    }

    @Test
    fun directCallRunsAtOnce() {
        billing.bill(45, YearMonth.of(2026, 7))
        assertThat(letters.sent).containsExactly("Bill of 45 for 2026-07")
    }

}
