package com.example.billing

import java.time.YearMonth

import io.locket.job.Jobs
import io.locket.queue.EnqueueResult

import org.springframework.stereotype.Component

@Component
class MonthEnd(private val jobs: Jobs) {

    fun close(customerId: Long, period: YearMonth) {
        when (val result = jobs.enqueue(Billing::class.java) { it.bill(customerId, period) }) {
            is EnqueueResult.Duplicate -> println("Job ${result.of()} exists")
            else -> println(result)
        }
    }

    fun remind(customer: Customer) {
        jobs.enqueue(Billing::class.java) { it.remind(customer) }
    }

    fun billByName(customerId: Long, period: YearMonth) {
        jobs.enqueue("billing.bill", customerId, period)
    }

}
