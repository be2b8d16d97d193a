package com.example.billing

import java.time.YearMonth

import io.locket.UniqueJob

import org.springframework.stereotype.Service

@Service
class Billing(private val letters: Letters) {

    @UniqueJob(name = "billing.bill", key = "{#customerId, #period}", queue = "invoices")
    fun bill(customerId: Long, period: YearMonth) {
        letters.send("Bill of $customerId for $period")
    }

    @UniqueJob(name = "billing.remind", key = "#customer.id")
    fun remind(customer: Customer, friendly: Boolean = true) {
        letters.send("Reminder to $customer, friendly: $friendly")
    }

}

data class Customer(val id: Long, val emails: List<String>, val phone: String? = null)
